/**
 * Sound effects, synthesized from a few tones.
 *
 * A tone has a start and a duration in seconds, a frequency and the frequency it glides to in hertz, and a volume.
 *
 * @typedef {{at?: number, long: number, from: number, to?: number, loud?: number, wave?: OscillatorType | "noise"}} Tone
 */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
  turn: [{ long: 0.18, from: 587 }, { at: 0.11, long: 0.3, from: 880 }],
  mark: [{ long: 0.05, from: 420, to: 520, loud: 0.5 }],
  choose: [{ long: 0.09, from: 330, to: 494 }],
  card: [{ long: 0.06, from: 2400, to: 900, wave: "noise", loud: 0.8 }],
  reveal: [{ long: 0.16, from: 900, to: 3200, wave: "noise", loud: 0.7 }],
  take: [{ long: 0.2, from: 196, to: 131, wave: "triangle" }, { at: 0.02, long: 0.14, from: 1200, to: 300, wave: "noise", loud: 0.6 }],
  roll: [0, 0.07, 0.13, 0.21, 0.26, 0.36].map((at) => ({ at, long: 0.04, from: 1900, to: 1300, wave: "noise", loud: 1 })),
  war: [{ long: 0.22, from: 147, wave: "triangle" }, { at: 0.16, long: 0.34, from: 220, wave: "triangle" }],
  hurry: [{ long: 0.06, from: 988, loud: 0.6 }],
  win: [{ long: 0.2, from: 523 }, { at: 0.13, long: 0.2, from: 659 }, { at: 0.26, long: 0.5, from: 784 }],
  over: [{ long: 0.25, from: 440 }, { at: 0.18, long: 0.4, from: 330 }],
  reaction: [{ long: 0.07, from: 700, to: 900, loud: 0.5 }],
};

/** @type {AudioContext | undefined} */
let context;
/** @type {AudioBuffer | undefined} */
let noise;

/** Milliseconds after which a delayed sound is dropped. */
const LATE = 1000;

/** Play a sound. @param {string} name one of SOUNDS */
export async function play(name) {
  const asked = performance.now();
  try {
    context ??= new AudioContext();
    await context.resume(); // waits for a user gesture, which browsers require; sounds that wait too long are dropped
    if (performance.now() - asked > LATE) return;
    for (const each of SOUNDS[name] ?? []) tone(context, each);
  } catch {
    // no audio support
  }
}

/** Resume audio during user gestures, because some browsers allow it only then. */
for (const touch of ["click", "keydown"]) addEventListener(touch, () => void context?.resume().catch(() => {}), true);

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
function tone(context, { at = 0, long, from, to = from, loud = 1, wave = "sine" }) {
  const start = context.currentTime + at + 0.01;
  const end = start + long;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.14 * loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0004, end);
  gain.connect(context.destination);
  if (wave === "noise") {
    const noiseSource = new AudioBufferSourceNode(context, { buffer: (noise ??= createNoise(context)) });
    const band = new BiquadFilterNode(context, { type: "bandpass", Q: 1.2, frequency: from });
    band.frequency.setValueAtTime(from, start);
    band.frequency.exponentialRampToValueAtTime(to, end);
    noiseSource.connect(band).connect(gain);
    noiseSource.start(start);
    noiseSource.stop(end);
    return;
  }
  const oscillator = new OscillatorNode(context, { type: wave, frequency: from });
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, end);
  oscillator.connect(gain);
  oscillator.start(start);
  oscillator.stop(end);
}

/** @param {AudioContext} context */
function createNoise(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1;
  return buffer;
}
