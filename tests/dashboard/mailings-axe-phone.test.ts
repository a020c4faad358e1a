import { test } from 'node:test';
import { lookAtMailings } from './look-at-mailings.ts';

test('axe finds nothing wrong with mailings and reports on a phone, light and dark', (t) =>
  lookAtMailings(t, { width: 390, height: 844 }));
