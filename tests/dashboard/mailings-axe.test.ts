import { test } from 'node:test';
import { lookAtMailings } from './look-at-mailings.ts';

test('axe finds nothing wrong with mailings and reports in a wide window, light and dark', (t) =>
  lookAtMailings(t, { width: 1280, height: 900 }));
