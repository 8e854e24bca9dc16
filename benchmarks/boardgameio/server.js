// Serves the game from memory, boardgame.io's default: node server.js PORT

const { Server, Origins } = require('boardgame.io/server');
const { nimmt } = require('./game.js');

const server = Server({ games: [nimmt], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => console.log('serving') });
