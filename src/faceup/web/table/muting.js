import { settings, updateSettings } from "../ui/settings.js";

/** @import { TableView } from "../api/types.js" */

/**
 * Return whether the reactions of a seat are neither shown nor announced nor heard: all of others, or those of a person
 * whom the viewer has muted. One's own are always shown.
 *
 * @param {TableView} room
 * @param {number} seat
 */
export function isMuted(room, seat) {
  return seat !== room.seat && (settings.muted || settings.mutedPlayers.includes(room.seats[seat]?.handle ?? ""));
}

/** Mute a person in this browser, at all tables, or end this. @param {string} handle */
export function toggleMuted(handle) {
  const others = settings.mutedPlayers.filter((muted) => muted !== handle);
  updateSettings({ mutedPlayers: others.length < settings.mutedPlayers.length ? others : [...others, handle] });
}
