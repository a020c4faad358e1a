import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { parseAddress } from '../submission/address.ts';
import { createLinkTokens } from '../tracking/token.ts';
import { readReturnPath, returnPathOf } from './return-path.ts';

const tokensOf = (secret: string) =>
  createLinkTokens({
    blindIndex: (_column: string, text: string) => createHmac('sha256', secret).update(text).digest().subarray(0, 16),
  } as unknown as CustomerVault);
const tokens = tokensOf('ours');

const returning = fc.record(
  { kind: fc.constantFrom('bounce' as const, 'mailing-bounce' as const), id: fc.uuid() },
  { noNullPrototype: true },
);

test('a return path tells whose mail comes back, whatever a server does to its case', () => {
  fc.assert(
    fc.property(returning, fc.array(fc.boolean(), { minLength: 59, maxLength: 59 }), (whose, upper) => {
      const path = returnPathOf(tokens, whose, 'bounces.example.org');
      const [local = ''] = path.split('@');
      assert.ok(local.length <= 64 && parseAddress(path)?.address === path, path);
      const changed = local
        .split('')
        .map((letter, at) => (upper[at] === true ? letter.toUpperCase() : letter))
        .join('');
      assert.deepEqual(readReturnPath(tokens, `${changed}@BOUNCES.example.org`), whose);
    }),
  );
});

test("one that is forged, cut, lengthened or changed in one letter is nobody's", () => {
  fc.assert(
    fc.property(returning, fc.nat(58), fc.stringMatching(/^[a-z2-7-]$/), (whose, at, letter) => {
      const path = returnPathOf(tokens, whose, 'example.org');
      const changed = path.slice(0, at) + letter + path.slice(at + 1);
      if (changed !== path) assert.equal(readReturnPath(tokens, changed), null, changed);
      assert.equal(readReturnPath(tokens, path.slice(0, at) + path.slice(at + 1)), null);
      assert.equal(readReturnPath(tokens, path.slice(0, at) + letter + path.slice(at)), null);
      assert.equal(readReturnPath(tokensOf('theirs'), path), null);
    }),
  );
});

test('no other address is a return path, and the token of a link is none', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(readReturnPath(tokens, text), null)));
  const link = tokens.make({ kind: 'unsubscribe', id: '00000000-0000-4000-8000-000000000000', number: 0 });
  const asPath = { ...tokens, make: () => link };
  const path = returnPathOf(asPath, { kind: 'bounce', id: '00000000-0000-4000-8000-000000000000' }, 'example.org');
  assert.equal(readReturnPath(tokens, path), null);
});
