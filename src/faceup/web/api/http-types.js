// Types of the server's responses to HTTP requests.

// made by script/wire_types, types: start

/** @import { Announcement, RoomView, TableConfig } from "./types.js" */

/**
 * @typedef {object} Me The player who sent the request
 * @property {string} handle the public handle, which never changes
 * @property {string} name the displayed name
 * @property {boolean} guest whether the player has no account, so that only the session of this device identifies the player
 * @property {string | null} login the login; null if the player has no password
 * @property {string | null} face the chosen animal and colour, as in "fox-3"; null if the player chose none
 * @property {boolean} listed whether the player is in the list of people online
 * @property {number} since when the player was created, in milliseconds since 1970
 * @property {number | null} deleted_at when the account will be deleted, because the player asked for it; null if not
 *
 * @typedef {object} Profile The public data of a player
 * @property {string} handle
 * @property {string} name
 * @property {boolean} guest
 * @property {string | null} face
 *
 * @typedef {object} Session A session in the list of a player's sessions
 * @property {string} id
 * @property {string} device the name of the browser
 * @property {number} since when the session was created, in milliseconds since 1970
 * @property {number} seen when the session was last used, in milliseconds since 1970
 * @property {boolean} current whether the request for the list came from this session
 *
 * @typedef {object} Code A one-time code, which expires at the time `until`, in milliseconds since 1970
 * @property {string} code
 * @property {number} until
 *
 * @typedef {object} NewAccount A new account, with recovery codes that only this response contains
 * @property {string} handle the public handle, which never changes
 * @property {string} name the displayed name
 * @property {boolean} guest whether the player has no account, so that only the session of this device identifies the player
 * @property {string | null} login the login; null if the player has no password
 * @property {string | null} face the chosen animal and colour, as in "fox-3"; null if the player chose none
 * @property {boolean} listed whether the player is in the list of people online
 * @property {number} since when the player was created, in milliseconds since 1970
 * @property {number | null} deleted_at when the account will be deleted, because the player asked for it; null if not
 * @property {string[]} recovery_codes
 *
 * @typedef {object} Token A token in the list of a player's tokens. It contains its `key` only when it is created
 * @property {string} id
 * @property {string} label
 * @property {("play" | "read")[]} scopes
 * @property {number} since
 * @property {string | null} key
 *
 * @typedef {object} SecondFactorState The second factor of the player, and how many recovery codes are left
 * @property {boolean} totp whether a password login needs a one-time password
 * @property {number} recovery_codes the number of recovery codes that have not been used
 *
 * @typedef {object} RecoveryCodes New recovery codes. Only this response contains them
 * @property {string[]} recovery_codes
 *
 * @typedef {object} StartedTotp The secret of a new authenticator
 * @property {string} secret the secret, to type
 * @property {string} uri the secret as a URI, which authenticator apps open
 * @property {string} picture the URI as a QR code, as a `data:` URI of an SVG image
 *
 * @typedef {object} Passkey A passkey in the list of a player's passkeys
 * @property {string} id
 * @property {string} label
 * @property {number} since
 *
 * @typedef {object} AddedPasskey A new passkey. If it made a guest an account, with recovery codes that only this response contains
 * @property {string} id
 * @property {string} label
 * @property {number} since
 * @property {string[]} recovery_codes
 *
 * @typedef {object} OpenIdStart The address at the OpenID provider to which the browser goes. Only this browser can finish the login
 * @property {string} url
 *
 * @typedef {object} OpenIdState Whether a login with OpenID opens the account
 * @property {number | null} linked_at when the account was linked, in milliseconds since 1970; null if it is not
 *
 * @typedef {object} TableFound A table with its id, its code of five letters, the link to share, and its status
 * @property {string} id
 * @property {string} code
 * @property {string} link
 * @property {"active" | "finished" | "pending" | "closed"} status
 *
 * @typedef {object} PublicTable A public table. `cursor` is its place in the list
 * @property {string} id
 * @property {string} code
 * @property {string} link
 * @property {"active" | "finished" | "pending" | "closed"} status
 * @property {number} since when the table was created, in milliseconds since 1970
 * @property {TableSummary} summary a description of the table for lists
 * @property {string} cursor
 *
 * @typedef {object} TableSummary The summary of a table
 * @property {string} game name of the game
 * @property {string} variant name of the variant
 * @property {Record<string, any>} options options of the variant by name
 * @property {number | null} clock the time for a decision in milliseconds; None if there is no clock
 * @property {"anyone" | "nobody"} spectators who may watch while the game is running, in addition to its players
 * @property {number} spectator_delay how late spectators see the game, in milliseconds
 * @property {boolean} rated whether the game changes the ratings of its players
 * @property {number | null} host the host's seat; None if the host has no seat
 * @property {(SeatSummary | null)[]} seats for each seat, its player; None if the seat is empty
 *
 * @typedef {object} SeatSummary The player of a seat. `kind` is "person", or the name of a bot; `program` is true if a person's program plays
 * @property {string} name
 * @property {string} kind
 * @property {boolean} program
 *
 * @typedef {object} TableResponse The room view of a table, with its id, code and link
 * @property {string} id
 * @property {string} code
 * @property {string} link
 * @property {number} now milliseconds from the creation of the table to the response
 * @property {RoomView} room the room view, as the player may see it
 *
 * @typedef {object} CommandAccepted The acknowledgement that a command was stored. After a rematch request, `table` is the id of the rematch
 * @property {string} ack
 * @property {string | null} [table]
 *
 * @typedef {object} MyTable An unfinished table of the player
 * @property {string} id
 * @property {string} code
 * @property {string} link
 * @property {"active" | "finished" | "pending" | "closed"} status
 * @property {number} since when the table was created, in milliseconds since 1970
 * @property {TableSummary} summary a description of the table for lists
 * @property {"choice" | "seat" | null} waits_for "choice" if the player has to choose now, "seat" if a seat is reserved for the player who has not taken it, as in a rematch; else null
 * @property {number | null} time_left the time left for the choice, in milliseconds; null if there is no time limit
 *
 * @typedef {object} Online Who is online
 * @property {number} count the number of players who are online, with those who are not listed
 * @property {OnlinePerson[]} people those who play or wait at public tables and want to be listed, people at waiting tables first. There are at most `MAX_PEOPLE`
 *
 * @typedef {object} OnlinePerson A person who plays or waits at a public table
 * @property {string} name the name of the player
 * @property {string} handle the public handle of the player
 * @property {string | null} face the chosen animal and colour, as in "fox-3"; null if the player chose none
 * @property {boolean} program whether a program plays for the person
 * @property {string} game the game that the person plays
 * @property {string} variant the variant
 * @property {"active" | "pending"} status "pending" if the game has not started, or "active"
 * @property {string | null} table id of the table; null if no one else may join or watch
 * @property {"join" | "watch" | null} access what others can do there now; null if `table` is null
 *
 * @typedef {object} GameToWatch A public game in progress, as spectators see it
 * @property {string} table id of the table
 * @property {string} game
 * @property {string} variant
 * @property {boolean} rated
 * @property {number} decision the number of decisions that have been played
 * @property {boolean} late whether the game is nearly over
 * @property {boolean} paused whether the game is paused
 * @property {number} delay how late spectators see the game, in milliseconds
 * @property {(WatchedSeat | null)[]} seats for each seat, its player
 *
 * @typedef {object} WatchedSeat The player of a seat. `rating` is a person's rating in the variant; null while it is provisional
 * @property {string} name the name shown at the table
 * @property {string} kind "person", or the name of the bot
 * @property {string | null} handle the public handle of a person; null for a bot
 * @property {string | null} face the animal and colour that a person chose, as in "fox-3"; null for a bot, and before a person chose one
 * @property {boolean | null} program true if a program of this person plays; null if not
 * @property {number | null} rating
 *
 * @typedef {object} PushState Whether this browser is notified
 * @property {string | null} key the key of the server with which a browser subscribes, in base64url; null if Web Push is off
 * @property {boolean} subscribed whether the browser of this session is notified
 *
 * @typedef {object} MailState The address of the player
 * @property {boolean} enabled whether the server sends mail
 * @property {string | null} address the address; null if there is none
 * @property {boolean} confirmed whether the address was confirmed by its code, so that it gets mails
 * @property {string | null} unconfirmed an address that will replace it when its code is entered, within an hour; null if there is none
 *
 * @typedef {object} Turns The tables with days per move that wait for the player's choice, the one with the earliest deadline first
 * @property {WaitingTurn[]} turns
 *
 * @typedef {object} WaitingTurn A table that waits for the player's choice
 * @property {string} id id of the table
 * @property {string} code code of the table
 * @property {string} link URL of the table's page
 * @property {number} decision the number of the open decision. A table that waits again after a choice has a higher one
 * @property {number} since when the decision was opened, in milliseconds since 1970
 * @property {number | null} due the player's deadline, in milliseconds since 1970; null without one
 * @property {TableSummary} summary a description of the table for lists
 *
 * @typedef {object} TournamentResponse A tournament, as the requester sees it
 * @property {number} now the time of the server, in milliseconds since 1970
 * @property {string} link the link to share
 * @property {boolean} is_host whether the requester is the host
 * @property {MyEntry | null} me the requester's part; null if the requester has not joined
 * @property {EntrantView[]} waiting for the host, the players who wait to be admitted; empty for everyone else
 * @property {PublicTournament} tournament what everyone sees
 *
 * @typedef {object} MyEntry The requester's part in a tournament
 * @property {number} number the requester's number
 * @property {"absent" | "active" | "left" | "removed" | "waiting"} status whether the requester is drawn for the next round, or "waiting" for the approval of the host
 * @property {string | null} table the id of the table at which the requester plays now; null if there is none, and while it is created
 *
 * @typedef {object} EntrantView A player of a tournament
 * @property {number} number the number in this tournament, from 1
 * @property {string} name the name; "" if the player waits for the approval of the host, or was removed without having played
 * @property {string | null} handle the public handle; null if the player was erased, or has no name
 * @property {string | null} face the face; null if the player chose none
 * @property {"absent" | "active" | "left" | "removed" | "waiting"} status "active", or why the player is not drawn for the next round
 * @property {boolean} program whether a program joined, or played in the tournament
 *
 * @typedef {object} PublicTournament A tournament, as everyone sees it
 * @property {string} id its id
 * @property {number} version the number of changes, for `after`
 * @property {"break" | "cancelled" | "finished" | "open" | "paused" | "playing"} status "open", "playing", "break", "paused", "finished" or "cancelled"
 * @property {TournamentSettings} settings what the host chose
 * @property {number} seats the number of seats of most tables
 * @property {boolean} can_join whether new players can join
 * @property {boolean} paused whether rounds start only by the host
 * @property {number | null} next_at when the next round starts, in milliseconds since 1970; null if that is not known
 * @property {number | null} round_ends_at when tables that are still playing are closed, in milliseconds since 1970; null between rounds
 * @property {EntrantView[]} players the players by number
 * @property {StandingView[]} standings the standings, the best player first
 * @property {RoundView[]} rounds the rounds that have started
 *
 * @typedef {object} TournamentSettings The settings of a tournament
 * @property {string} name the name of the tournament; "" after the erasure of the player who gave it
 * @property {TableConfig} table the configuration of the tables, which must have a clock. Its number of seats is the one that most tables get. `bots` fill the seats that are left, if there are any bots; otherwise tables differ in size, or some players have a bye
 * @property {"mixed" | "swiss"} format "swiss" draws players of similar points; "mixed" lets everyone meet as many others as possible
 * @property {number} rounds the number of rounds
 * @property {number} join_until the last round in which players can still join
 * @property {boolean} late_half whether players who join late get half a point, instead of none, for each round before
 * @property {number} break_time the time from the end of a round to the start of the next one, in milliseconds
 * @property {number} round_time the time after which tables that are still playing are closed, in milliseconds. The places at that moment count
 * @property {number | null} starts_at when the first round starts, in milliseconds since 1970; None if the host starts it
 * @property {"account" | "anyone" | "approval"} admission whether "anyone" can join, or only players with an "account", or with the "approval" of the host
 *
 * @typedef {object} StandingView A row of the standings
 * @property {number} number the number of the player
 * @property {number} place 1 is the best, and tied players share a place
 * @property {number} points the points: for each table, the share of opponents that the player was better than
 * @property {number} buchholz the first tie-break
 * @property {number} direct the second tie-break, direct encounter
 * @property {number | null} score the third tie-break, the mean score in the game; null without a game
 * @property {number} wins the number of tables that the player won
 * @property {(number | null)[]} rounds the points of each round; null while the table is playing
 *
 * @typedef {object} RoundView A round: its tables, and the numbers of the players with a bye
 * @property {RoundTableView[]} tables
 * @property {number[]} byes
 *
 * @typedef {object} RoundTableView A table of a round
 * @property {string | null} table the id of the table; null while it is created
 * @property {number[]} seats the numbers of the players by seat; 0 for a bot
 * @property {number[] | null} places the places by seat; null until the result counts
 * @property {number[] | null} scores the scores by seat; null until the result counts, and if the table was deleted
 *
 * @typedef {object} TournamentEntry A tournament of a player, for the export of the player's data
 * @property {string} id the id of the tournament
 * @property {string} tournament its name
 * @property {string | null} name the player's name in it; None if the player does not play
 * @property {boolean} host whether the player is the host
 * @property {boolean} named whether the player gave the tournament its name
 *
 * @typedef {object} DailyOverview Today's daily deal, and the requester's days before
 * @property {number} now the server's time, in milliseconds since 1970
 * @property {DailyView} today the deal of the requested date
 * @property {DailyCommitment} tomorrow the commitment for the date after it
 * @property {number} streak how many consecutive deals the requester has finished
 * @property {number} best_streak the longest streak of the requester
 * @property {CalendarDay[]} calendar the dates of six weeks that have a deal, the latest first
 *
 * @typedef {object} DailyView The daily deal of a date, as the requester may see it
 * @property {string} date the date
 * @property {number} opens_at when the date starts in the first time zone, in milliseconds since 1970
 * @property {number} ends_at when the date has ended in every time zone, in milliseconds since 1970
 * @property {boolean} open whether the deal can be played
 * @property {string[]} bots the bots in the other seats
 * @property {string[]} bot_names the names under which they sit there
 * @property {string} commitment the hash that commits the server to its secret
 * @property {number} committed_at when the commitment was published, in milliseconds since 1970
 * @property {number} players how many people have finished
 * @property {DailyAttempt | null} attempt the requester's attempt; null if there is none
 * @property {Par | null} par what the strongest bot makes of the deal; null until the requester has finished or the day has ended, and while it is computed
 * @property {RankedAttempt[] | null} ranking the first places; null until the requester has finished or the day has ended. The ids of the tables are "" until the day has ended
 * @property {string | null} secret the server's secret, in hexadecimal digits; null until the day has ended
 * @property {string | null} deal the deal in notation; null until the day has ended
 *
 * @typedef {object} DailyAttempt The requester's attempt at a daily deal
 * @property {string} table the id of its table
 * @property {"active" | "finished" | "pending" | "closed" | null} status the status of the table; null if the table was deleted
 * @property {number | null} heads the heads collected; null if the game was not finished before the day ended
 * @property {number | null} place the place at the table; null as above
 * @property {number | null} rank the place among all who finished; people with equally many heads share a place; null as above
 * @property {number[] | null} turns the heads collected in each turn; null as above, and if the table was deleted
 *
 * @typedef {object} Par What the strongest bot makes of a daily deal in the player's seat
 * @property {string} bot the name of the bot
 * @property {number} heads the heads that it collects
 * @property {number} place its place at the table
 * @property {number[]} turns the heads that it collects in each turn
 *
 * @typedef {object} RankedAttempt A finished attempt in the ranking of a day
 * @property {number} rank the place among all who finished; attempts with equally many heads share a place
 * @property {PlayerName} who the person
 * @property {boolean} guest whether the person has no account
 * @property {number} heads the heads collected
 * @property {string} table the id of the table
 *
 * @typedef {object} PlayerName The name of a person or bot. Bots also have their kind
 * @property {string} name
 * @property {string | null} handle
 * @property {string | null} face
 * @property {string | null} bot
 * @property {boolean} program
 *
 * @typedef {object} DailyCommitment The commitment for a day that has not started, and when it starts in the first time zone
 * @property {string} date
 * @property {number} opens_at
 * @property {string} commitment
 * @property {number} committed_at
 *
 * @typedef {object} CalendarDay A date that has a daily deal
 * @property {string} date the date
 * @property {boolean} open whether the deal can be played
 * @property {boolean} started whether the requester has started it
 * @property {number | null} heads the heads that the requester collected; null if the requester has not finished it in time
 *
 * @typedef {object} PuzzleOverview The results of the requester, and the next puzzle
 * @property {number} rating the rating, which starts at 1500
 * @property {boolean} provisional whether there are too few answers for a reliable rating
 * @property {number} tried the number of puzzles that the player has answered
 * @property {number} solved how many of them the player has solved
 * @property {number} streak how many of the last puzzles the player has solved in a row
 * @property {number} best_streak the longest such streak
 * @property {number} puzzles the number of puzzles on this server
 * @property {PuzzleView | null} next the next puzzle; null if the requester has answered all
 *
 * @typedef {object} PuzzleView A puzzle, as the requester may see it
 * @property {string} id its id
 * @property {string} position the rules and the view of the seat that decides, in notation
 * @property {string} game the game
 * @property {string} variant the variant
 * @property {Record<string, any>} options the options of the game, with the number of seats
 * @property {number} seat the seat that decides
 * @property {Record<string, any>} view what the seat sees, as at a table
 * @property {string[]} actions the legal actions in notation
 * @property {number} deal the deal, from 1
 * @property {number} turn the turn in the deal, from 1
 * @property {string[]} bots the bots that played the game; empty if it was not played by bots
 * @property {PuzzleVerdict | null} verdict the verdict; null until the requester has answered
 *
 * @typedef {object} PuzzleVerdict The answer of the requester to a puzzle, and what the coach found
 * @property {string} action the requester's answer
 * @property {boolean} solved whether it is the best option
 * @property {number} points by how much the answer changed the rating of the requester
 * @property {Record<string, any>[]} options all options with their values, the best one first: `action`, `heads`, `win`, `behind`, `risk` and `explanation`, as in a hint
 * @property {number} lead how many expected heads the best option is better than the second one
 * @property {string} theme what the puzzle trains: "last_turns", "purpose", "count", "keep_low", "dump_high" or "in_time"
 * @property {number} rating the rating of the puzzle
 * @property {number} tries how many players have answered it
 * @property {number} found how many of them have solved it
 *
 * @typedef {object} PuzzleAnswered The reply to an answer. `puzzle` is the answered puzzle with its verdict
 * @property {number} rating the rating, which starts at 1500
 * @property {boolean} provisional whether there are too few answers for a reliable rating
 * @property {number} tried the number of puzzles that the player has answered
 * @property {number} solved how many of them the player has solved
 * @property {number} streak how many of the last puzzles the player has solved in a row
 * @property {number} best_streak the longest such streak
 * @property {number} puzzles the number of puzzles on this server
 * @property {PuzzleView | null} next the next puzzle; null if the requester has answered all
 * @property {PuzzleView} puzzle
 *
 * @typedef {object} PartyFound The id of a party of which the requester is a member
 * @property {string} id
 *
 * @typedef {object} PartyListed A party in the list of a player's parties
 * @property {string} id
 * @property {string} name
 * @property {number} members the number of members
 * @property {MemberView[]} faces the first members, to show their faces
 * @property {"active" | "pending" | null} status "pending" or "active" if there is a running table, else null
 *
 * @typedef {object} MemberView A member of a party
 * @property {string} handle the public handle
 * @property {string} name the current name
 * @property {string | null} face the chosen animal and colour; null for none
 * @property {boolean} guest whether the member has no account
 * @property {boolean} host whether the member is the host of the party
 * @property {boolean} you whether the member is the requester
 * @property {boolean} here whether the member has the page of the party open, or sits at its running table
 * @property {boolean} program whether it is a program that had the page open last
 *
 * @typedef {object} PartyView A party, as its members see it
 * @property {string} id its id
 * @property {string} name its name; "" if it has none
 * @property {string} link the link with which others join
 * @property {number} created_at when it was created, in milliseconds since 1970
 * @property {MemberView[]} members the members in the order in which they joined. The first one is the host
 * @property {PartyTable | null} table the running table, or the last one; null before the first one, and when it was deleted
 * @property {string | null} room the id of the last table, to send as `instead`; null before the first one
 * @property {TableConfig | null} config the settings with which the last table was requested; null before the first one
 * @property {CountdownView | null} countdown the countdown to the next game; null if there is none
 * @property {string} version a text that changes whenever anything of this view does, except `now`
 * @property {number} now the time of the server, in milliseconds since 1970
 *
 * @typedef {object} PartyTable The last table of a party, as a member sees it
 * @property {string} id its id
 * @property {"active" | "finished" | "pending" | "closed"} status its status
 * @property {TableSummary} summary a description of the table, as in lists of tables
 * @property {"free" | "reserved" | "seat" | null} place "seat" if the member has a seat, "reserved" if a seat is reserved for the member, and "free" if there is a free seat that no one has reserved; null if the member can only watch
 * @property {string[]} present the handles of the people with seats who are not away, in the order of their seats
 * @property {number | null} ended_at when it ended, in milliseconds since 1970; null while it is running
 *
 * @typedef {object} CountdownView The countdown to the next game of a party
 * @property {string} by the handle of the member who started it
 * @property {string} game the game
 * @property {string | null} variant the variant
 * @property {number} ends_at when the game starts, in milliseconds since 1970
 * @property {string[]} players the handles of the members who take part
 * @property {boolean} out whether the requester does not want to play this game
 *
 * @typedef {object} PartyInvitation What the link of a party shows to people who are no members
 * @property {string} name the name of the party; "" if it has none
 * @property {InvitedTo} by the member who shared the link, or the host
 * @property {number} members the number of members
 * @property {InvitedTo[]} people some of the members, first those who are here
 * @property {string | null} party the id of the party if the player is a member; else None
 *
 * @typedef {object} InvitedTo A member of a party, as a link to the party shows one
 * @property {string} handle
 * @property {string} name
 * @property {string | null} face
 * @property {boolean} here
 * @property {boolean} program
 *
 * @typedef {object} PartyOfTable The party to which a table belongs
 * @property {string} id
 * @property {string} name
 * @property {MemberView[]} members
 *
 * @typedef {object} PartyStatistics The statistics of a party: the number of finished games, and those of each variant
 * @property {number} games
 * @property {PartyVariantStatistics[]} variants
 *
 * @typedef {object} PartyVariantStatistics The statistics of the games of a variant
 * @property {string} game
 * @property {string} variant
 * @property {number} games the number of games
 * @property {PartyStanding[]} standings the people, the one with the most wins first
 * @property {PartyDuel[]} duels all pairs of people who played with each other
 * @property {PartyRecord | null} lowest the lowest score of a person in one game
 * @property {PartyRecord | null} highest the highest score of a person in one game
 * @property {boolean} low_wins whether low scores win
 *
 * @typedef {object} PartyStanding The results of a person in a variant
 * @property {PlayerName} who
 * @property {number} games the number of games
 * @property {number} wins the number of wins; a shared win counts as a fraction
 * @property {number[]} places how often the person had the first place, the second and so on
 * @property {number} score the sum of the scores, such as heads
 * @property {number} streak the longest series of games in a row that the person won, of those in which the person took part
 *
 * @typedef {object} PartyDuel How often two people finished before each other, by their handles. The rest of their games was tied
 * @property {string} one
 * @property {string} other
 * @property {number} games
 * @property {number} one_ahead
 * @property {number} other_ahead
 *
 * @typedef {object} PartyRecord The lowest or highest score of a person in one game, and the table of this game
 * @property {PlayerName} who
 * @property {number} score
 * @property {string} table
 * @property {number} ended_at
 *
 * @typedef {object} PartyEvening The last evening of a party
 * @property {number} games the number of its games
 * @property {number | null} started_at when the first game ended, in milliseconds since 1970; null if there is none
 * @property {number | null} ended_at when the last game ended; null if there is none
 * @property {EveningStanding[]} standings the people, the best first: those with more wins, then those with better places
 * @property {Award[]} awards the awards, if they were requested
 *
 * @typedef {object} EveningStanding The results of a person in an evening
 * @property {PlayerName} who
 * @property {number} place the place; people with equal wins and places in the games share it
 * @property {number} games the number of games
 * @property {number} wins the number of wins; a shared win counts as a fraction
 *
 * @typedef {object} Award An award of an evening
 * @property {"brave" | "cards_lost" | "cool" | "escape" | "last_throw" | "niu_niu" | "no_niu" | "ox" | "pile" | "round_streak" | "throw_streak" | "throws_lost" | "unhurt" | "wars"} kind its kind
 * @property {string[]} who the handles of the people who get it; several share it
 * @property {number} value how many heads, turns, throws, wars or cards it is for
 * @property {string | null} table the table of the game in which it happened; null if it is for several games
 *
 * @typedef {object} PartyGame A finished game of a party
 * @property {number} number the number of the game on this server
 * @property {string} table the id of the table, for its replay
 * @property {string} game the game
 * @property {string} variant the variant
 * @property {number} ended_at when it ended, in milliseconds since 1970
 * @property {PartySide[]} sides the results by seat
 *
 * @typedef {object} PartySide The result of a person or bot in a game
 * @property {PlayerName} who
 * @property {number} score
 * @property {number} place
 *
 * @typedef {object} People The people that a player knows
 * @property {Person[]} friends the friends. Those who allow it are shown as online or not
 * @property {Person[]} received people who want to be friends
 * @property {Person[]} sent people that the player asked to be friends, without an answer
 * @property {Person[]} recent people that the player recently sat at a table with, the last ones first, without all others here
 * @property {Person[]} blocked people that the player has blocked
 * @property {boolean} shows_online whether friends may see that the player is online
 * @property {"friends" | "met" | "no_one"} contact who may send the player requests and invitations
 *
 * @typedef {object} Person Another player, as lists show them
 * @property {string} handle the public handle
 * @property {string} name the current name
 * @property {string | null} face the chosen animal and colour; null for none
 * @property {boolean} guest whether the player has no account
 * @property {boolean | null} online whether the player has a page open now; null if this is not shown
 *
 * @typedef {object} Inbox What other people want from the player
 * @property {Invitation[]} invitations the open invitations, the latest first
 * @property {Person[]} requests people who want to be friends
 * @property {string} version a text that changes whenever anything of this does
 *
 * @typedef {object} Invitation An open invitation, as its receiver sees it
 * @property {string} id its id, with which it is accepted or declined
 * @property {Person} sender who sent it
 * @property {"party" | "table"} kind whether it is for a table or a party
 * @property {string | null} game the game of the table; null for a party
 * @property {string | null} variant the variant of the table; null for a party
 * @property {string[]} players the names of the people and bots at the table; empty for a party
 * @property {string} name the name of the party; "" if it has none, and for a table
 * @property {number} until when it expires, in milliseconds since 1970
 *
 * @typedef {object} AcceptedInvitation The place of an accepted invitation: the id of the table or of the party. The other one is null
 * @property {string | null} table
 * @property {string | null} party
 *
 * @typedef {object} ResearchState Whether the player gives games for research
 * @property {boolean} offered whether the server exports games for research
 * @property {number | null} given_at when the player consented, in milliseconds since 1970; null if not
 * @property {boolean} earlier whether the player gives games that ended before, too
 *
 * @typedef {object} Results The results of a player
 * @property {string} handle the public handle
 * @property {string} name the current name
 * @property {boolean} guest whether the player has no account
 * @property {number} since when the player was created, in milliseconds since 1970
 * @property {PlayerRating[]} ratings the rating in each variant of each game
 * @property {HandStanding[]} hands the hand statistics in each variant of each game that scores hands
 * @property {VariantTotals[]} totals the numbers of finished and won games in each variant of each game
 * @property {GameView[]} games the latest games. `GET /api/players/{handle}/games` also returns older games
 *
 * @typedef {object} PlayerRating A rating in a variant of a game
 * @property {string} game
 * @property {string} variant
 * @property {number} rating the rating, 1500 for a new player and never negative
 * @property {number} deviation the standard deviation of the rating
 * @property {boolean} provisional whether the deviation is still above 125, so that the rating may change a lot
 * @property {number} games the number of rated games
 * @property {number} wins the number of wins. A shared win counts as a fraction, and so does a win of one of a player's seats
 * @property {number | null} place the place on the ladder; null while the rating is provisional
 * @property {boolean} program whether it is the rating of the player's programs, which have a ladder of their own
 *
 * @typedef {object} HandStanding The statistics of all comparable hands of a player or bot in a variant of a game
 * @property {string} game
 * @property {string} variant
 * @property {HandsView} totals the statistics
 * @property {number | null} place the place on the ladder of mean statistics points; null if there are fewer than `MIN_HANDS` hands
 * @property {boolean} program whether these are the hands of the player's programs
 *
 * @typedef {object} HandsView Statistics of hands
 * @property {number} hands the number of hands
 * @property {number} sum the sum of their statistics points
 * @property {number} mean the mean of their statistics points
 * @property {number} baozi the number of hands that were a baozi
 * @property {number[]} points the numbers of hands with 0 points, 1 point and so on
 *
 * @typedef {object} VariantTotals Numbers of games of a player in a variant, including unrated games
 * @property {string} game
 * @property {string} variant
 * @property {number} games the number of games that the player finished
 * @property {number} first the number of games in which the player finished first
 *
 * @typedef {object} GameView A finished game
 * @property {number} number the number of the game on this server
 * @property {string} table id of the table, for requesting its record, unless the table was deleted
 * @property {string} game
 * @property {string} variant
 * @property {Record<string, any>} options the values of the options that the host set for the table
 * @property {number} ended_at when the game ended, in milliseconds since 1970
 * @property {boolean} rated whether the game changed ratings
 * @property {SeatResultView[]} sides the results by seat
 * @property {number} seat the seat of the player of this history
 *
 * @typedef {object} SeatResultView The result of a seat
 * @property {PlayerName} who
 * @property {number} score
 * @property {number} place
 * @property {boolean} away whether the player of the seat was away at the end of the game
 * @property {HandsView | null} hands statistics of the hands of the seat; null in games that do not score hands
 *
 * @typedef {object} Statistics The statistics of a player, without the games that programs of the player played
 * @property {number} games the number of games. A game in which the player had several seats counts once, with the best of them
 * @property {number} first the number of games in which the player finished first, alone or together with others
 * @property {number} wins the number of wins, where a shared win counts as a fraction
 * @property {number} expected the number of wins to expect if everyone at the tables played equally well
 * @property {number} streak how many of the last games the player finished first, in a row
 * @property {number} best_streak the longest such streak
 * @property {VariantStatistics[]} variants the statistics of each variant and number of seats, those with the most games first
 *
 * @typedef {object} VariantStatistics The games of a variant with the same number of seats
 * @property {number} games the number of games. A game in which the player had several seats counts once, with the best of them
 * @property {number} first the number of games in which the player finished first, alone or together with others
 * @property {number} wins the number of wins, where a shared win counts as a fraction
 * @property {number} expected the number of wins to expect if everyone at the tables played equally well
 * @property {number} streak how many of the last games the player finished first, in a row
 * @property {number} best_streak the longest such streak
 * @property {string} game
 * @property {string} variant
 * @property {number} seats the number of seats
 * @property {boolean} default_options whether all other options had their default values
 * @property {number} score the mean score
 * @property {GameRecord | null} best the game with the best score; null if the game does not define which scores are better
 * @property {GameRecord | null} worst the game with the worst score; null as above
 * @property {GameRecord | null} fastest_win the win in the least time since the table was created, in milliseconds; null without a win
 * @property {TrendPoint[]} trend up to 40 parts of the games with about equally many games, in order
 *
 * @typedef {object} GameRecord The game with an extreme value
 * @property {number} value the value
 * @property {string} table the id of the table, for requesting its replay, unless the table was deleted
 * @property {number} ended_at when the game ended, in milliseconds since 1970
 *
 * @typedef {object} TrendPoint Consecutive games
 * @property {number} games the number of games
 * @property {number} until when the last of them ended, in milliseconds since 1970
 * @property {number} score their mean score
 * @property {number} wins the share of them that the player won
 *
 * @typedef {object} OwnStatistics The statistics of the requesting player
 * @property {number} games the number of games. A game in which the player had several seats counts once, with the best of them
 * @property {number} first the number of games in which the player finished first, alone or together with others
 * @property {number} wins the number of wins, where a shared win counts as a fraction
 * @property {number} expected the number of wins to expect if everyone at the tables played equally well
 * @property {number} streak how many of the last games the player finished first, in a row
 * @property {number} best_streak the longest such streak
 * @property {VariantStatistics[]} variants the statistics of each variant and number of seats, those with the most games first
 * @property {CoachFindings} coach what the coach found in the player's games, which no one else gets
 *
 * @typedef {object} CoachFindings What the coach found in the latest reviewed games of a player
 * @property {number} games the number of reviewed games; a game counts for each seat of the player
 * @property {number} decisions the number of choices between several options that the player made
 * @property {FaultTotals[]} faults the costly choices by their faults, the most frequent fault first
 *
 * @typedef {object} FaultTotals The costly choices of a player with the same fault
 * @property {string} fault the cause, one of `faceup.coach.causes.CauseKind`
 * @property {number} count the number of these choices
 * @property {number} cost the expected heads that they cost, added up
 * @property {FaultExample} example the costliest
 *
 * @typedef {object} FaultExample The costliest choice with a fault
 * @property {string} table the id of the table, for requesting its replay, unless the table was deleted
 * @property {number} seat the seat of the player
 * @property {number} decision the number of the choice in the game
 * @property {number} cost the expected heads that it cost
 *
 * @typedef {object} LadderView The ladder of a variant
 * @property {string} game
 * @property {string} variant
 * @property {"hands" | "rating"} by "hands" (the mean statistics points of hands) in games that score hands, and "rating" in all other games
 * @property {number | null} min_hands the minimum number of hands for a place, if the ladder is by hands; else null
 * @property {LadderRow[]} ladder_rows the players, if the ladder is by rating. Those with provisional ratings follow, without places
 * @property {HandRung[]} hands the places, if the ladder is by hands
 *
 * @typedef {object} LadderRow A player or bot on a ladder. The attributes have the same meaning as in `PlayerRating`
 * @property {number | null} place
 * @property {PlayerName} who
 * @property {number} rating
 * @property {number} deviation
 * @property {boolean} provisional
 * @property {number} games
 * @property {number} wins
 *
 * @typedef {object} HandRung A place on a ladder of mean statistics points
 * @property {number} place
 * @property {PlayerName} who
 * @property {HandsView} totals
 *
 * @typedef {object} BotResults The ratings and hand statistics of a bot in each variant of each game
 * @property {string} bot
 * @property {PlayerRating[]} ratings
 * @property {HandStanding[]} hands
 *
 * @typedef {object} Version The version of the server. A page with another stamp than `page` reloads itself
 * @property {string} faceup
 * @property {number} record_format
 * @property {string} page
 *
 * @typedef {object} ServerInfo The information that a page needs when it starts
 * @property {Announcement | null} announcement the operator's announcement; null if there is none
 * @property {"closed" | "code" | "open"} registration the registration mode for new players
 * @property {string} page the stamp of the page's files
 * @property {Me | null} you the player of the session or token; null if the request has neither
 * @property {boolean} known whether anyone can send this player invitations or requests, so that the page waits for the inbox
 * @property {number} turns how many games with days per move wait for the player
 * @property {string[]} handles all handles of the player, also those from before a login, for which seats may still be reserved
 *
 * @typedef {object} PlayableGame A game
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {GameVariant[]} variants
 * @property {GameOption[]} options
 * @property {boolean} chooses whether the game has decisions
 * @property {"hands" | "rating" | null} ladder how the ladders of this game rank players; null if it has neither decisions nor scored hands
 * @property {string[]} levels the bots that the page offers as opponents, the easiest first; empty if the game has no such bots
 * @property {BotDescription[]} bots all bots that can be seated
 * @property {string[]} drawings the names of the drawings of the game
 * @property {string} guide the rules of the game in Markdown
 *
 * @typedef {object} GameVariant A variant of a game
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {[number, number]} seats the minimum and the maximum number of seats
 * @property {number | null} clock the default seconds for a decision at a table of people; null means no clock
 * @property {Record<string, any>} options the values of the options that the variant sets
 *
 * @typedef {object} GameOption An option of a table, with the JSON Schema of its values and its default value
 * @property {string} name
 * @property {string} summary
 * @property {Record<string, any>} schema
 * @property {number | boolean | string | null} default
 *
 * @typedef {object} BotDescription The description of a bot
 * @property {string} name the name of the policy
 * @property {string} description one sentence on how it chooses
 * @property {string} think_time one sentence on how long it thinks
 *
 * @typedef {object} About Who runs the server, and with which program
 * @property {string} name the name of the site
 * @property {string} version the version of faceup
 * @property {string} source the address of its source code
 * @property {string} licence the licence of faceup
 * @property {Licence[]} licences the licences of the parts by others
 * @property {string} contact the mail address or page of the operator; "" if there is none
 * @property {string} imprint the address of the imprint; "" if there is none
 * @property {string} privacy the address of the privacy policy; "" if it is the page `/privacy`
 * @property {string} terms the address of the terms; "" if there are none
 * @property {number} minimum_age the age that new accounts must confirm; 0 for none
 *
 * @typedef {object} Licence The licence of a part of the program that the server passes on to browsers
 * @property {string} part
 * @property {string} licence
 * @property {string} text
 */

// made by script/wire_types, types: end

export {};
