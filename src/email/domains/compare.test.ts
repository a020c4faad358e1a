import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compare } from './compare.ts';
import type { Purpose } from './records.ts';

const CASES: Record<Purpose, { value: string; found: string[][]; differs: string[][]; missing: string[][] }> = {
  ownership: {
    value: 'carepost-verify=00ff',
    found: [
      ['carepost-verify=00ff'],
      ['other', ' carepost-verify=00ff '],
      ['carepost-verify=11', 'carepost-verify=00ff'],
    ],
    differs: [['carepost-verify=00fe'], ['carepost-verify=00FF']],
    missing: [[], ['00ff'], ['v=spf1 -all']],
  },
  dkim: {
    value: 'v=DKIM1; k=rsa; p=AB+/cd==',
    found: [['v=DKIM1; k=rsa; p=AB+/cd=='], ['p=AB+/cd=='], ['v=DKIM1;t=s;p= AB+/ cd== ;']],
    differs: [
      ['v=DKIM1; k=rsa; p='],
      ['v=DKIM1; k=rsa; p=AB'],
      ['v=DKIM1; k=ed25519; p=AB+/cd=='],
      ['v=DKIM2; p=AB+/cd=='],
      ['p=AB+/cd==', 'p=AB+/cd=='],
      ['garbage'],
      ['p=xx; p=AB+/cd=='],
    ],
    missing: [[]],
  },
  spf: {
    value: 'v=spf1 include:b.example ~all',
    found: [['v=spf1 include:b.example ~all'], ['x', 'V=SPF1 ip4:1.2.3.4  +Include:B.example -all']],
    differs: [
      ['v=spf1 -all'],
      ['v=spf1 -include:b.example'],
      ['v=spf1 include:b.example.org'],
      ['v=spf1 include:b.example', 'v=spf1'],
    ],
    missing: [[], ['v=spf10 include:b.example'], ['include:b.example']],
  },
  dmarc: {
    value: 'v=DMARC1; p=none',
    found: [['v=DMARC1; p=none'], ['v=DMARC1;p=REJECT; rua=mailto:a@b.example'], ['v=DMARC1 ; sp=none; p=quarantine']],
    differs: [['v=DMARC1'], ['v=DMARC1; p=maybe'], ['v=DMARC1; p=none', 'v=DMARC1; p=none']],
    missing: [[], ['p=none; v=DMARC1'], ['v=DMARC10; p=none']],
  },
  return_path: {
    value: 'b.example',
    found: [['b.example'], ['B.Example.']],
    differs: [['c.example'], ['b.example.org']],
    missing: [[]],
  },
};

for (const [name, { value, ...answers }] of Object.entries(CASES)) {
  test(`${name}: what is there is told from what differs and from what is missing`, () => {
    for (const [status, examples] of Object.entries(answers)) {
      for (const example of examples) {
        assert.equal(compare({ purpose: name as Purpose, value }, example).status, status, JSON.stringify(example));
      }
    }
  });
}

test('whatever DNS answers is compared, and little of it is kept', () => {
  const purposes = fc.constantFrom(...(Object.keys(CASES) as Purpose[]));
  const text = fc.oneof(
    fc.string({ maxLength: 2_000 }),
    fc.string().map((rest) => `v=DMARC1;${rest}`),
    fc.string().map((rest) => `v=spf1 ${rest}`),
  );
  fc.assert(
    fc.property(purposes, fc.array(text, { maxLength: 20 }), (purpose, answers) => {
      const { status, found } = compare({ purpose, value: CASES[purpose].value }, answers);
      assert.equal(status === 'missing', found.length === 0);
      assert.ok(found.length <= 5 && found.every(({ length }) => length <= 600));
    }),
  );
});
