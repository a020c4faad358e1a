import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { stuffDots } from '../dialogue/dots.ts';
import { MailRoom, MailRooms } from './mail-room.ts';

const text = fc.string({ unit: fc.constantFrom('a', '.', '\r\n', '\r\n.'), maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some));
const mail = fc.record({
  head: fc.string({ unit: fc.constantFrom('A: b\r\n', '.', 'é'), maxLength: 20 }),
  pieces: fc.array(fc.oneof(text, bytes), { maxLength: 6 }),
  times: fc.constantFrom(1, 1, 1, 3_000),
});

function wholeOf(head: string, pieces: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([Buffer.from(head), ...pieces.map((piece) => Buffer.from(piece))]);
}

test('whatever was written in a room before, a mail comes out as it would by itself', () => {
  fc.assert(
    fc.property(fc.array(mail, { minLength: 1, maxLength: 5 }), (mails) => {
      const room = new MailRoom();
      for (const { head: some, pieces, times } of mails) {
        const head = some.repeat(times);
        const body = [...pieces, '\r\n'];
        assert.deepEqual(room.writeBody(body), wholeOf('', body));
        assert.deepEqual(room.writeHead(head), stuffDots(wholeOf(head, body)));
      }
    }),
  );
});

test('a room that grew stays so for the next mail, and one of uncommon size is not kept', () => {
  const rooms = new MailRooms();
  const room = rooms.take();
  room.writeBody(['x'.repeat(200_000)]);
  const { size } = room;
  rooms.give(room);
  assert.equal(rooms.take(), room);
  room.writeBody(['x'.repeat(200_000)]);
  assert.equal(room.size, size);
  room.writeBody(['x'.repeat(2_000_000)]);
  rooms.give(room);
  assert.notEqual(rooms.take(), room);
});
