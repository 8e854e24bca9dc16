// The least that a server of the same game must do, in C with libwebsockets and SQLite: it stores every message of a
// client durably, and then sends to the ten sockets of a table what faceup's server sent there at the same choice of a
// recorded game. It has no rules, no rooms and no checks.
//
//   fanout PORT DATABASE RECORDING
//
// A client opens ws://127.0.0.1:PORT/TABLE/SEAT and first receives the first message of its seat. The recording has, in
// little-endian 32-bit numbers, the number of steps, and for each step and each of ten seats the length of what the seat
// is sent, and the bytes. Step 0 is the first message. After the last step, step 1 follows.

#include <libwebsockets.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 10, TABLES = 1 << 16, QUEUE = 64, STORED = 1024 };

typedef struct {
  uint32_t size;
  const char *bytes;
} Message;

typedef struct {
  struct lws *socket;
  uint32_t queued;
  const Message *queue[QUEUE];
} Seat;

typedef struct {
  uint32_t step;
  Seat seats[SEATS];
} Table;

typedef struct {
  uint32_t table, seat;
} Session;

typedef struct {
  uint32_t table, size;
  char bytes[STORED];
} Choice;

static Message (*steps)[SEATS];
static uint32_t step_count;
static Table *tables[TABLES];
static Choice *choices;
static uint32_t choice_count, choice_room;
static unsigned char joined[LWS_PRE + (1 << 20)];

static void fail(const char *what) {
  fprintf(stderr, "fanout: %s\n", what);
  exit(1);
}

static void check(int wrong, const char *what) {
  if (wrong) fail(what);
}

static void read_recording(const char *path) {
  FILE *file = fopen(path, "rb");
  check(!file || fread(&step_count, 4, 1, file) != 1, "the recording cannot be read");
  steps = calloc(step_count, sizeof *steps);
  for (uint32_t step = 0; step < step_count; step++)
    for (uint32_t seat = 0; seat < SEATS; seat++) {
      Message *message = &steps[step][seat];
      check(fread(&message->size, 4, 1, file) != 1, "the recording ends early");
      char *bytes = malloc(message->size + 1);
      check(fread(bytes, 1, message->size, file) != message->size, "the recording ends early");
      message->bytes = bytes;
    }
  fclose(file);
}

static void enqueue(Seat *seat, const Message *message) {
  if (!seat->socket || !message->size) return;
  check(seat->queued == QUEUE, "a client does not read");
  seat->queue[seat->queued++] = message;
  lws_callback_on_writable(seat->socket);
}

// Send all that is queued for a seat in one message, a line each.
static int flush(Seat *seat) {
  size_t size = 0;
  for (uint32_t index = 0; index < seat->queued; index++) {
    const Message *message = seat->queue[index];
    check(LWS_PRE + size + message->size + 1 > sizeof joined, "a message is too long");
    if (index) joined[LWS_PRE + size++] = '\n';
    memcpy(joined + LWS_PRE + size, message->bytes, message->size);
    size += message->size;
  }
  seat->queued = 0;
  return size && lws_write(seat->socket, joined + LWS_PRE, size, LWS_WRITE_TEXT) < (int)size ? -1 : 0;
}

static int open_seat(struct lws *socket, Session *session) {
  char path[64];
  if (lws_hdr_copy(socket, path, sizeof path, WSI_TOKEN_GET_URI) <= 0) return -1;
  if (sscanf(path, "/%u/%u", &session->table, &session->seat) != 2) return -1;
  if (session->table >= TABLES || session->seat >= SEATS) return -1;
  Table **table = &tables[session->table];
  if (!*table) *table = calloc(1, sizeof **table), (*table)->step = 1;
  Seat *seat = &(*table)->seats[session->seat];
  seat->socket = socket;
  enqueue(seat, &steps[0][session->seat]);
  return 0;
}

static void receive(const Session *session, const void *bytes, size_t size) {
  if (choice_count == choice_room) {
    choice_room = choice_room ? 2 * choice_room : 256;
    choices = realloc(choices, choice_room * sizeof *choices);
  }
  check(size > STORED, "a choice is too long");
  Choice *choice = &choices[choice_count++];
  choice->table = session->table, choice->size = size;
  memcpy(choice->bytes, bytes, size);
}

static int handle(struct lws *socket, enum lws_callback_reasons reason, void *user, void *bytes, size_t size) {
  Session *session = user;
  switch (reason) {
    case LWS_CALLBACK_HTTP:  // any request shows that the server is ready
      return lws_return_http_status(socket, HTTP_STATUS_OK, NULL) || lws_http_transaction_completed(socket) ? -1 : 0;
    case LWS_CALLBACK_ESTABLISHED:
      return open_seat(socket, session);
    case LWS_CALLBACK_RECEIVE:
      receive(session, bytes, size);
      return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return flush(&tables[session->table]->seats[session->seat]);
    case LWS_CALLBACK_CLOSED: {
      Seat *seat = &tables[session->table]->seats[session->seat];
      if (seat->socket == socket) seat->socket = NULL, seat->queued = 0;
      return 0;
    }
    default:
      return 0;
  }
}

// Store the choices that arrived together in one transaction, as faceup does, before anything is sent.
static void store(sqlite3 *database, sqlite3_stmt *insert) {
  check(sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL), sqlite3_errmsg(database));
  for (uint32_t index = 0; index < choice_count; index++) {
    const Choice *choice = &choices[index];
    sqlite3_bind_int(insert, 1, choice->table);
    sqlite3_bind_int(insert, 2, tables[choice->table]->step);
    sqlite3_bind_blob(insert, 3, choice->bytes, choice->size, SQLITE_STATIC);
    check(sqlite3_step(insert) != SQLITE_DONE, sqlite3_errmsg(database));
    sqlite3_reset(insert);
  }
  check(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL), sqlite3_errmsg(database));
  for (uint32_t index = 0; index < choice_count; index++) {
    Table *table = tables[choices[index].table];
    for (uint32_t seat = 0; seat < SEATS; seat++) enqueue(&table->seats[seat], &steps[table->step][seat]);
    table->step = table->step + 1 < step_count ? table->step + 1 : 1;
  }
  choice_count = 0;
}

int main(int count, char **arguments) {
  check(count != 4, "usage: fanout PORT DATABASE RECORDING");
  read_recording(arguments[3]);
  sqlite3 *database;
  sqlite3_stmt *insert;
  check(sqlite3_open(arguments[2], &database), "the database cannot be opened");
  const char *schema = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE log (room, step, choice)";
  check(sqlite3_exec(database, schema, NULL, NULL, NULL), sqlite3_errmsg(database));
  sqlite3_prepare_v2(database, "INSERT INTO log VALUES (?, ?, ?)", -1, &insert, NULL);
  lws_set_log_level(LLL_ERR, NULL);
  struct lws_protocols protocols[] = {{.name = "game", .callback = handle, .per_session_data_size = sizeof(Session)}, {0}};
  struct lws_context_creation_info info = {.port = atoi(arguments[1]), .protocols = protocols, .iface = "127.0.0.1"};
  struct lws_context *context = lws_create_context(&info);
  check(!context, "the server cannot start");
  for (;;) {
    check(lws_service(context, 0) < 0, "the server stopped");
    if (choice_count) store(database, insert);
  }
}
