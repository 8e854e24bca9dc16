// 6 nimmt! as boardgame.io's documentation describes simultaneous games with secrets: everyone is an active player in a
// stage, moves run only on the server, accept concurrent moves (ignoreStaleStateID) and are not logged, and hidden
// information is in `players` and `secret`, which STRIP_SECRETS removes. Undo is off: no one can undo in a stage of
// several players, and its history costs time. `deltaState` is off: its patches refer to the state that the mover saw,
// so clients drop them when two players choose at the same time.

const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const heads = (card) => (card === 55 ? 7 : card % 11 === 0 ? 5 : card % 10 === 0 ? 3 : card % 5 === 0 ? 2 : 1);

function deal(G, numPlayers, random) {
  const cards = random.Shuffle(Array.from({ length: 104 }, (_, i) => i + 1));
  for (let seat = 0; seat < numPlayers; seat++) {
    G.players[seat] = { hand: cards.splice(0, 10).sort((a, b) => a - b), choice: null };
  }
  G.rows = cards.splice(0, 4).map((card) => [card]);
  G.secret = { left: cards };
  G.taken = Array.from({ length: numPlayers }, () => []);
}

function settle(G, ctx, random, events) {
  while (G.waiting.length) {
    const [card, seat] = G.waiting[0];
    let best = -1;
    G.rows.forEach((row, index) => {
      const tail = row[row.length - 1];
      if (tail < card && (best < 0 || tail > G.rows[best][G.rows[best].length - 1])) best = index;
    });
    if (best < 0) {
      events.setActivePlayers({ value: { [seat]: 'row' } });
      return;
    }
    if (G.rows[best].length < 5) G.rows[best].push(card);
    else takeRow(G, seat, best, card);
    G.waiting.shift();
  }
  G.turn += 1;
  if (G.players[0].hand.length === 0) {
    G.deals += 1;
    if (G.deals === G.most) {
      events.endGame({ heads: [...G.heads] });
      return;
    }
    deal(G, ctx.numPlayers, random);
  }
}

function takeRow(G, seat, row, card) {
  for (const each of G.rows[row]) {
    G.heads[seat] += heads(each);
    G.taken[seat].push(each);
  }
  G.rows[row] = [card];
}

function choose({ G, ctx, playerID, random, events }, card) {
  const mine = G.players[playerID];
  if (G.waiting.length || !mine.hand.includes(card)) return INVALID_MOVE;
  mine.choice = card;
  G.chosen[playerID] = true;
  if (!G.chosen.every(Boolean)) return;
  G.waiting = G.chosen.map((_, seat) => [G.players[seat].choice, seat]).sort((a, b) => a[0] - b[0]);
  G.plays = G.chosen.map((_, seat) => G.players[seat].choice);
  G.chosen.fill(false);
  for (const player of Object.values(G.players)) {
    player.hand = player.hand.filter((each) => each !== player.choice);
    player.choice = null;
  }
  settle(G, ctx, random, events);
}

function take({ G, ctx, playerID, random, events }, row) {
  if (!G.waiting.length || G.waiting[0][1] !== Number(playerID) || !G.rows[row]) return INVALID_MOVE;
  const [card, seat] = G.waiting.shift();
  takeRow(G, seat, row, card);
  events.setActivePlayers({ all: 'card' });
  settle(G, ctx, random, events);
}

const secret = { client: false, redact: true, ignoreStaleStateID: true };

exports.nimmt = {
  name: 'nimmt',
  disableUndo: true,
  minPlayers: 2,
  maxPlayers: 10,
  playerView: PlayerView.STRIP_SECRETS,
  setup: ({ ctx, random }, setupData) => {
    const each = () => Array.from({ length: ctx.numPlayers }, () => 0);
    const G = { players: {}, heads: each(), chosen: each().map(() => false), waiting: [], plays: [], turn: 0 };
    G.deals = 0;
    G.most = setupData?.deals ?? 1;
    deal(G, ctx.numPlayers, random);
    return G;
  },
  turn: {
    activePlayers: { all: 'card' },
    stages: {
      card: { moves: { choose: { move: choose, ...secret } } },
      row: { moves: { take: { move: take, client: false, ignoreStaleStateID: true } } },
    },
  },
};
