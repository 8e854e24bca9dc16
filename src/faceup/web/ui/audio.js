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
  flip: [{ long: 0.07, from: 1500, to: 3600, wave: "noise", loud: 0.5 }],
  land: [{ long: 0.13, from: 150, to: 62, loud: 1.3 }, { long: 0.05, from: 1100, to: 500, wave: "noise", loud: 0.8 }],
  drum: roll(0.52, 26),
  bull: [
    { long: 0.34, from: 92, to: 58, wave: "sawtooth", loud: 0.55 },
    { long: 0.3, from: 320, to: 120, wave: "noise", loud: 1.1 },
    ...[0.36, 0.47, 0.57, 0.66, 0.75].map((at, beat) => ({ at, long: 0.09, from: 120 + 8 * beat, to: 55, loud: 1.1 })),
  ],
  take: [{ long: 0.2, from: 196, to: 131, wave: "triangle" }, { at: 0.02, long: 0.14, from: 1200, to: 300, wave: "noise", loud: 0.6 }],
  head: [{ long: 0.07, from: 660, to: 620, wave: "triangle", loud: 0.7 }],
  roll: [0, 0.05, 0.1, 0.16, 0.21, 0.27].map((at) => ({ at, long: 0.03, from: 2100, to: 1500, wave: "noise", loud: 0.5 })),
  die: [{ long: 0.04, from: 1900, to: 1100, wave: "noise", loud: 1 }, { long: 0.06, from: 240, to: 130, loud: 0.6 }],
  named: [{ long: 0.3, from: 523, wave: "triangle", loud: 0.6 }, { at: 0.07, long: 0.34, from: 784, wave: "triangle", loud: 0.6 }],
  war: [{ long: 0.3, from: 147, wave: "triangle" }, { at: 0.2, long: 0.44, from: 220, wave: "triangle" }, { at: 0.2, long: 0.4, from: 110, loud: 0.9 }],
  strike: [{ long: 0.16, from: 180, to: 60, loud: 1.4 }, { long: 0.09, from: 1600, to: 500, wave: "noise", loud: 1 }],
  hurry: [{ long: 0.06, from: 988, loud: 0.6 }],
  win: [{ long: 0.2, from: 523 }, { at: 0.13, long: 0.2, from: 659 }, { at: 0.26, long: 0.24, from: 784 }, { at: 0.4, long: 0.7, from: 1047 }],
  lose: [{ long: 0.28, from: 311, to: 294, wave: "triangle" }, { at: 0.26, long: 0.28, from: 277, to: 262, wave: "triangle" }, { at: 0.52, long: 0.7, from: 247, to: 196, wave: "triangle" }],
  over: [{ long: 0.25, from: 440 }, { at: 0.18, long: 0.4, from: 330 }],
  reaction: [{ long: 0.07, from: 700, to: 900, loud: 0.5 }],
};

/**
 * Return a drum roll that grows louder.
 *
 * @param {number} long seconds
 * @param {number} beats
 * @returns {Tone[]}
 */
function roll(long, beats) {
  return Array.from({ length: beats }, (_, beat) => ({ at: (beat * long) / beats, long: 0.05, from: 380, to: 240, wave: "noise", loud: 0.25 + (0.75 * beat) / beats }));
}

/** @type {AudioContext | undefined} */
let context;
/** @type {AudioBuffer | undefined} */
let noise;
/** @type {GainNode | undefined} all sounds pass through it until they are stopped */
let output;

/** Milliseconds after which a delayed sound is dropped. */
const LATE = 1000;

/**
 * Play a sound.
 *
 * @param {string} name one of SOUNDS
 * @param {number} [delay] milliseconds
 */
export async function play(name, delay = 0) {
  const asked = performance.now();
  try {
    context ??= new AudioContext();
    await context.resume(); // waits for a user gesture, which browsers require; sounds that wait too long are dropped
    if (performance.now() - asked > LATE) return;
    if (!output) {
      output = new GainNode(context);
      output.connect(context.destination);
    }
    for (const note of SOUNDS[name] ?? []) tone(context, output, note, delay / 1000);
  } catch {
    // no audio support
  }
}

/** Fade out all sounds that are playing or delayed. */
export function stop() {
  const before = output;
  output = undefined;
  if (!context || !before) return;
  before.gain.setValueAtTime(1, context.currentTime);
  before.gain.linearRampToValueAtTime(0, context.currentTime + 0.06);
  setTimeout(() => before.disconnect(), 200);
}

/** Resume audio during user gestures, because some browsers allow it only then. */
for (const touch of ["click", "keydown"]) addEventListener(touch, () => void context?.resume().catch(() => {}), true);

/**
 * @param {AudioContext} context
 * @param {AudioNode} output
 * @param {Tone} tone
 * @param {number} delay seconds
 */
function tone(context, output, { at = 0, long, from, to = from, loud = 1, wave = "sine" }, delay) {
  const start = context.currentTime + delay + at + 0.01;
  const end = start + long;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.14 * loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0004, end);
  gain.connect(output);
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
