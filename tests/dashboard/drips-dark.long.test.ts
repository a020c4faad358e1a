import { test } from 'node:test';
import { lookThroughDrips } from './drip-pages.ts';

test('axe finds nothing wrong with drips, dark and narrow', (t) =>
  lookThroughDrips(t, { colorScheme: 'dark', viewport: { width: 390, height: 2400 } }));
