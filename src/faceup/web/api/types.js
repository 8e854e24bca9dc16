/** @import { Moment } from "../table/moments.js" */

// Types of the server's messages, documented in docs/reference/online-tables.md.

// made by script/wire_types, types: start

/**
 * @typedef {object} KnownEventMembers An event of a table or game. Its other members depend on its kind
 * @property {string} event kind of the event
 * @property {string} text the event as an English sentence
 *
 * @typedef {object} Problem The details of an error
 * @property {string} kind the kind of error, for programs; new kinds may be added, but none is ever removed
 * @property {string} message one sentence for people
 * @property {string} [where] the invalid part of the request, if known
 * @property {string[]} [legal] the legal actions in notation, if the error is an illegal action
 * @property {number} [retry_after] the number of seconds to wait before sending the request again
 * @property {number} [until] the end of a ban, in milliseconds since 1970
 * @property {string} [reason] the reason of a ban, if the operator gave one
 * @property {string} [request] id of the request, for finding the request in the server's log
 *
 * @typedef {object} Announcement A message to all users, such as a planned restart
 * @property {string} id a unique id, so that the same text is shown again if it is announced again
 * @property {string} text one or two sentences
 * @property {number | null} at when the announced event happens, in milliseconds since 1970 on the database's clock
 *
 * @typedef {object} RoomSeat The player of a seat
 * @property {string} name the name shown at the table
 * @property {string} kind "person", or the name of the bot
 * @property {string} [handle] the public handle of a person; null for a bot
 * @property {string} [face] the animal and colour that a person chose, as in "fox-3"; null for a bot, and before a person chose one
 * @property {boolean} [program] true if a program of this person plays; null if not
 *
 * @typedef {object} TableConfig The configuration of a table
 * @property {string} game name of the game
 * @property {string} variant name of the variant; "" means the game's first variant
 * @property {Record<string, any>} options options of the variant by name; a missing option has its default value
 * @property {{clock?: number, reveal: "at_deadline" | "when_all_in", autoplay: string, hints: boolean, fair: boolean}} terms clock, reveal and the other terms, by default those of the variant. The autoplay policy is always the game's own. A clock of 1, 2, 3 or 7 days makes the game a correspondence game, whose players need not be connected
 * @property {boolean} listed whether the table is in the public list. If it is not, players need its link or code
 * @property {"anyone" | "nobody"} spectators who may watch while the game is running, in addition to its players
 * @property {number} spectator_delay how late spectators see the game, in milliseconds
 * @property {string[]} bots the bots that fill the empty seats at the start, in order; the last bot also fills all remaining seats
 * @property {number} grace how long a player must be away before autoplay chooses for them, in milliseconds
 * @property {string[]} reserved for each seat, the handle of the player it is reserved for, or "" if it is not reserved; empty if no seat is reserved
 * @property {boolean} rated whether the game changes the ratings of its players. Only possible if `unrated_reason` is None
 *
 * @typedef {object} FairView The public view of a round of a fair deal. Hashes and bytes are in hexadecimal
 * @property {number} number number of the round, from 0; a new round starts when a seat is excluded
 * @property {string} commitment hash of the server's secret
 * @property {(string | null)[]} pledges for each seat, the hash of its contribution; null before the seat pledges
 * @property {number[]} [listed] the seats that contribute; null while pledging is open
 * @property {(string | null)[]} contributions for each seat, its contribution; null before the seat opens its pledge
 * @property {number[]} left_out the seats that did not open their pledges in time, in this round and in earlier rounds
 * @property {number} due deadline for pledging, or for opening the pledges once the contributors are listed
 * @property {string} [secret] the server's secret; null until the round is void or the match ends
 *
 * @typedef {object} SeriesPlayer A player of a series
 * @property {string} name the name at the table
 * @property {string} kind "person", or the name of the bot
 * @property {string} [handle] the public handle of a person; null for a bot
 * @property {string} [face] the face that a person chose; null if none
 * @property {number} seat the seat in the last game of this player
 * @property {number} games the number of games of this player in the series
 * @property {number} wins the number of wins; a shared win counts as a fraction
 * @property {number} score the sum of the scores
 * @property {(number | null)[]} places the place in each of the last games of the series, oldest first; null if the player had no seat
 * @property {(number | null)[]} scores the score in each of these games; null if the player had no seat
 *
 * @typedef {object} Series The running score of a series
 * @property {number} games the number of finished games
 * @property {SeriesPlayer[]} players all players, in the order in which they joined the series
 *
 * @typedef {object} Pin An emote that is pinned to a card until the next reveal
 * @property {number} seat the seat of the player who pinned it
 * @property {"again" | "bravo" | "close" | "hello" | "hmm" | "hurry" | "knew_it" | "luck" | "moo" | "nice" | "no_rush" | "no_way" | "ouch" | "phew" | "plan" | "skill" | "sorry" | "thanks"} reaction the emote
 * @property {number} card the number of the card
 *
 * @typedef {object} RoomView The room as one viewer sees it. In JSON, null members are left out (`encode_room_view`)
 * @property {number} [seat] the viewer's seat; null for a spectator
 * @property {"active" | "finished" | "pending" | "closed"} status pending, active, finished or closed
 * @property {TableConfig} config the table's configuration: game, variant, options, terms, and who may watch
 * @property {number} [host] the host's seat; null if the host has no seat
 * @property {boolean} [is_host] true for the host, who can start, pause and close the game and remove players; null for all others
 * @property {boolean} [removed] true for a player that the host has removed, who can only watch; null for all others
 * @property {(RoomSeat | null)[]} seats for each seat, its player; null if the seat is empty
 * @property {string[]} reserved for each seat, the handle of the player it is reserved for; "" if it is not reserved
 * @property {number[]} away the seats with absent players
 * @property {number[]} chosen the seats that have chosen in the current decision
 * @property {(1 | 2 | null)[]} times for each seat, its time limit as a multiple of the clock; null if it has no limit
 * @property {number} decision the number of the current decision, which commands must state
 * @property {number} [due] the viewer's deadline (for a spectator, the latest deadline of all seats), in milliseconds since the room was created; null if there is no clock or time limit, or if the room is closed
 * @property {number} [paused] when the game was paused; resuming the game makes deadlines later by the length of the pause
 * @property {string} [choice] the viewer's choice, in notation
 * @property {string} [mark] the action to play if the viewer's time runs out, in notation
 * @property {string[]} actions the actions of `view.legal` in notation, in the same order; empty while a fair deal is being made
 * @property {any} view the viewer's view of the game
 * @property {{scores: number[], ranks: number[]}} [result] scores and places after the game is over
 * @property {FairView} [fair] the current round of a fair deal; null at tables without fair deals
 * @property {"abandoned" | "host" | "operator" | "round_over"} [closed] why the room was closed; null if it is open
 * @property {string} [rematch] id of the table of the rematch
 * @property {Series} [series] the score of a rematch's series: of the games before, and of this game when it is finished; null in a first game
 * @property {number} [fills_at] when bots fill the empty seats of a quick match and the game starts, in milliseconds since the room was created; null at other tables, and when the game has started
 * @property {number} [countdown_ends] when the countdown of a rematch ends, in milliseconds since the room was created; null without one. Players can choose before
 * @property {string} [daily] the date of the daily deal that is played at this table, such as "2026-11-23"; null at other tables
 * @property {{id: string, round: number, table: number}} [tournament] the tournament of which this is a table; null at other tables
 * @property {boolean} hints whether players may ask the coach for advice
 * @property {(number | null)[]} [idle_from] for each seat, when a player who has not chosen counts as idle, so that the others can vote that a bot plays, in milliseconds since the room was created; null for a seat with a deadline. Null at tables where every seat has one
 * @property {Pin[]} [pins] the emotes that are pinned to cards until the next reveal, oldest first; null if there are none
 * @property {boolean} rated whether the game changes ratings, with the people and programs who have seats now
 *
 * @typedef {object} Snapshot The complete room view: the first message of a stream
 * @property {number} v number of the viewer's last message, counted from 1
 * @property {number} at time of the viewer's last message, in milliseconds since the room was created
 * @property {number} [now] current time, in milliseconds since the room was created, for countdowns
 * @property {RoomView} room the room view
 *
 * @typedef {object} Update A change at the table: the events to show, and the changes of the room view
 * @property {number} v number of this message in the viewer's stream; the numbers have no gaps
 * @property {number} at time of the change, in milliseconds since the room was created
 * @property {TableEvent[]} events the events to show
 * @property {Record<string, any>} patch JSON merge patch (RFC 7396) to apply to the viewer's room view
 * @property {Record<string, any>} [append] items to add to the ends of lists in the room view, after applying the patch
 *
 * @typedef {object} Acknowledged The acknowledgement that a command has been written to the log
 * @property {string} ack id of the command
 *
 * @typedef {object} Rejected The rejection of a command, which changed nothing
 * @property {string | null} rejected id of the command; null if an invalid message has no id, or if the client may not watch the table
 * @property {Problem} error the details of the error
 *
 * @typedef {object} Ping A ping, which the client answers with the command `pong` and the number of this ping
 * @property {number} ping number of the ping
 * @property {number} now current time, in milliseconds since the room was created, for countdowns
 * @property {number} silence milliseconds after which the client has lost the connection if it receives no further message. Before the server acts for an absent player, the client then has time to connect again
 *
 * @typedef {object} Disconnected The seats of all players who have lost their connection and are not marked away yet
 * @property {number[]} disconnected the seats; empty when all have reconnected or were marked away
 *
 * @typedef {object} End The last message of a stream
 * @property {"closed" | "deleted" | "finished" | "rate_limited" | "restart" | "resync" | "revoked" | "slow" | "spectators_off"} end why the stream ends
 *
 * @typedef {object} Announced A new or withdrawn announcement of the server's operator
 * @property {Announcement | null} announcement the announcement to all users; null if it was withdrawn
 *
 * @typedef {KnownEventMembers & Record<string, any>} TableEvent
 */

// made by script/wire_types, types: end

/**
 * @typedef {RoomView & {hands?: Record<string, any>}} TableView a room view. In replays, `hands` contains for each seat
 *   the members of the seat's view that a spectator does not see
 *
 * @typedef {object} UpdateDetail the detail of a source's event "update"
 * @property {TableView | null} before
 * @property {TableView} room
 * @property {TableEvent[]} events
 * @property {number} at
 * @property {number} [v] version: number of the line
 * @property {boolean} jump whether not to animate, because this is the first view, a resumption or a seek
 * @property {boolean} [snapshot] whether this is the first view of a live table, so that earlier events are unknown
 *
 * @typedef {object} TableSource
 * @property {TableView | null} room
 * @property {() => number} now milliseconds since the table was created
 * @property {(command: object) => Promise<void>} [send] absent if commands cannot be sent
 * @property {string} [status] connection status, "lost" while disconnected; a change emits the event "status"
 * @property {number[]} [disconnected] of live tables: seats of players who have lost their connection; a change emits
 *   the event "status"
 * @property {string} [why] why the stream ended
 * @property {(v: number) => string} [drawing] address of the drawing after a line; live tables have only the newest
 *   drawing
 * @property {number} [v] of live tables: number of the last line
 * @property {() => Promise<string>} [fetchBacklog] of live tables: load the lines from the first decision on, each a
 *   JSON object
 * @property {Moment[]} [moments] of replays: all moments, including those after the line shown
 * @property {number} [current] of replays: `v` of the line shown
 * @property {(v: number) => void} [seek] of replays: show the view after this line
 *
 * @typedef {EventTarget & TableSource} Source the source that a table element displays, a live connection or a replay
 */

export {};
