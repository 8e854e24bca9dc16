/** Durations in milliseconds at normal speed, and easings, that the reveals of several games share. */

/** A roll of the drum before a card that decides something. */
export const DRUM = 520;
/** A card that fades in or out while reveals are calm. */
export const FADE = 240;

/** Fast at first, as something that comes to rest. */
export const EASE_OUT = "cubic-bezier(0.1, 0.7, 0.3, 1)";
/** Beyond its end and back. */
export const OVERSHOOT = "cubic-bezier(0.2, 1.5, 0.4, 1)";
