import { test } from 'node:test';
import { lookThroughDrips } from './drip-pages.ts';

test('axe finds nothing wrong with drips, light and wide', (t) =>
  lookThroughDrips(t, { colorScheme: 'light', viewport: { width: 1280, height: 2000 } }));
