import assert from 'node:assert/strict';
import { getServers } from 'node:dns';
import { test } from 'node:test';
import { readNameServers } from './name-servers.ts';

test('a name server is an address, or an address and a port, and is local on loopback alone', () => {
  const read = readNameServers(['127.0.0.1', '10.0.0.53:5353', '[::1]:5353', '2606:4700::1111', '[2606:4700::1111]']);
  assert.deepEqual(read, [
    { address: '127.0.0.1', port: 53, isLocal: true },
    { address: '10.0.0.53', port: 5353, isLocal: false },
    { address: '::1', port: 5353, isLocal: true },
    { address: '2606:4700::1111', port: 53, isLocal: false },
    { address: '2606:4700::1111', port: 53, isLocal: false },
  ]);
});

test('the servers of the system are asked where none are named', () => {
  assert.equal(readNameServers([]).length, getServers().length);
});

test('what is no address is not taken', () => {
  for (const written of ['', 'ns.example', 'ns.example:53', '127.0.0.1:', '[::1', ':53']) {
    assert.throws(() => readNameServers([written]), TypeError, written);
  }
});
