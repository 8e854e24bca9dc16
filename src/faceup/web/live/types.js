/** @import { Moment } from "../table/history.js" */

// What the server says, as types. docs/rooms.md explains each; a member that is absent is null there.

/**
 * @typedef {object} RoomSeat
 * @property {string} name
 * @property {string} kind "person", or the kind of bot
 * @property {string} [handle] of a person
 *
 * @typedef {object} Opening
 * @property {string} game
 * @property {string} variant
 * @property {Record<string, any>} options
 * @property {{clock?: number, stand_in: string, fair?: boolean, [name: string]: any}} terms milliseconds
 * @property {boolean} listed
 * @property {"anyone" | "nobody"} watch
 * @property {number} watch_delay milliseconds
 * @property {string[]} bots
 * @property {number} grace milliseconds
 * @property {string[]} kept
 *
 * @typedef {object} Sight a table as its viewer may see it
 * @property {number} [seat] whose it is; absent for a spectator
 * @property {"pending" | "active" | "finished" | "closed"} status
 * @property {Opening} opening
 * @property {number} [host] the host's seat
 * @property {boolean} [hosting] that this viewer is the host, with a seat or without
 * @property {(RoomSeat | null)[]} seats
 * @property {string[]} kept
 * @property {number[]} away
 * @property {number[]} chosen seats that have sealed a choice
 * @property {(1 | 2 | null)[]} times
 * @property {number} decision what a choice names
 * @property {number} [due] milliseconds since the room was opened
 * @property {number} [paused]
 * @property {string} [choice] what this viewer has sealed
 * @property {string} [mark]
 * @property {string[]} words what this viewer may choose
 * @property {any} view the game as this viewer sees it
 * @property {{scores: number[], ranks: number[]}} [result]
 * @property {any} [fair]
 * @property {"host" | "abandoned" | "operator"} [closed]
 * @property {string} [rematch] the table at which play goes on
 * @property {Record<string, any>} [hands] in replays: by seat, what its view has and a spectator's has not
 *
 * @typedef {{event: string, words: string, [name: string]: any}} TableEvent
 *
 * @typedef {{v: number, at: number, now?: number, sight: Sight}} Whole
 * @typedef {{v: number, at: number, events: TableEvent[], patch: any, grown?: any}} Message
 *
 * @typedef {object} Told the detail of a source's event "told"
 * @property {Sight | null} before
 * @property {Sight} sight
 * @property {TableEvent[]} events
 * @property {number} at
 * @property {number} [v] the number of the line
 * @property {boolean} jump nothing of it is to be animated: the first sight, a resumption, a seek
 * @property {boolean} [whole] what was told before is not known: a live table's first sight
 *
 * @typedef {object} SourceParts
 * @property {Sight | null} sight
 * @property {() => number} now milliseconds since the room was opened
 * @property {(command: object) => Promise<void>} [send] absent where nothing can be sent
 * @property {string} [status] of a connection: "lost" while there is none; the event "status" says that it changed
 * @property {string} [why] why it ended, if it did
 * @property {(v: number) => string} [drawing] where the picture of what is seen after a line is; a live table has one of now
 * @property {number} [v] of a live table: the number of the last line
 * @property {() => Promise<string>} [past] of a live table: the lines so far, from the first decision on, one JSON each
 * @property {Moment[]} [moments] of a replay: all that there is to tell, also what is yet to come
 * @property {number} [current] of a replay: the `v` of the line that is shown
 * @property {(v: number) => void} [seek] of a replay: show what was seen after this line
 *
 * @typedef {object} Verdict what the coach says to a choice
 * @property {number} decision
 * @property {number} seat
 * @property {string} chosen in words, as actions are
 * @property {string} best
 * @property {"best" | "only" | "fine" | "doubtful" | "costly"} word
 * @property {{value: number, error: number}} cost in heads, against the best
 * @property {"seat" | "clock"} by
 * @property {number} win_before a part of 1
 * @property {number | null} win_after
 *
 * @typedef {EventTarget & SourceParts} Source what a table shows: a live connection, or a replay
 */

export {};
