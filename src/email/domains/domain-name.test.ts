import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDomainName, suffixesOf } from './domain-name.ts';

test('a domain is read in lower case and A-labels', () => {
  assert.equal(readDomainName('Clinic.Example'), 'clinic.example');
  assert.equal(readDomainName('praxis-müller.example'), 'xn--praxis-mller-klb.example');
});

test('a subdomain lies in the domains that it ends with, the longest first', () => {
  assert.deepEqual(suffixesOf('a.b.clinic.example'), ['a.b.clinic.example', 'b.clinic.example', 'clinic.example']);
  assert.deepEqual(suffixesOf('clinic.example'), ['clinic.example']);
});
