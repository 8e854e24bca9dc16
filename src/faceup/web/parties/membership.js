/** Whether the player may be a member of a party, so that guests who are in none send no request and load no code. */
import { readStored } from "../api/storage.js";
import { serverInfo } from "../api/server-info.js";

/** The key under which a browser that has shown a party of its player remembers it. */
export const STORED = "faceup.parties";

/**
 * Return whether this browser has shown a party of the player, or the player has an account, which may have joined on
 * another device.
 */
export async function mayHaveParty() {
  if (readStored(STORED)) return true;
  if (!serverInfo.player) await serverInfo.refresh();
  return !(serverInfo.player?.guest ?? true);
}
