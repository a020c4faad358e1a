import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../command.ts';

const DOCUMENT = join(import.meta.dirname, '..', '..', '..', 'docs', 'api', 'openapi.json');

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  about: 'print the OpenAPI document of this version; needs neither database nor settings',
  async run() {
    const text = readFileSync(DOCUMENT, 'utf8').trimEnd();
    return { json: JSON.parse(text) as object, text };
  },
};
