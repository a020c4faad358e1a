import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations } from '../../src/platform/db/migrations.ts';

/** From here on every migration says whether the version before may run beside it. */
const FIRST = '0046';
const EXCUSE = /^-- safe beside: \S/m;

/** What nodes of the version before could trip over, or wait at for long, unless a line before it says why not. */
const RISKS: Record<string, RegExp> = {
  'takes something away': /^(drop|truncate)\b|\bdrop (column|constraint|default|not null)\b/,
  'renames something': /\brename\b/,
  'changes a type': /\balter( column)? \w+ (set data )?type\b/,
  'asks for a value that is not given': /\bset not null\b|\badd column (?!.*\bdefault\b)[^,]*\bnot null\b/,
  'holds others to a new rule': /\badd (constraint|check|unique|primary key|foreign key)\b(?!.*\bnot valid\b)/,
  'takes a right away': /^revoke\b|^alter policy\b/,
  'acts on what others write': /^create (constraint )?trigger\b/,
  'reads a whole table under a lock': /^create (unique )?index\b|^(update|delete from)\b/,
};
const NAMED =
  /^(?:create (?:unique )?index (?:if not exists )?\w+ on|create (?:constraint )?trigger .*? on|alter table|drop trigger \w+ on|update|delete from|drop function) (?:only )?([\w.]+)/;

interface Statement {
  /** On one line and in small letters, without comments. */
  text: string;
  excused: boolean;
}

/** The statements of a migration; what stands between dollar quotes is left out. */
function statementsOf(sql: string): Statement[] {
  const bare = sql.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, `''`);
  return bare.split(/;[^\S\n]*(?=\n|$)/).map((piece) => ({
    text: piece.replaceAll(/--.*$/gm, ' ').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
    excused: EXCUSE.test(piece),
  }));
}

/** What in a migration the version before does not stand, each with its risk. */
function risksIn(sql: string): string[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap(({ text }) => /^create (?:table|function) ([\w.]+)/.exec(text)?.[1] ?? []));
  return statements.flatMap(({ text, excused }) => {
    const about = NAMED.exec(text)?.[1];
    // A function that is dropped and made again within the transaction is never missed.
    if (excused || (about !== undefined && made.has(about))) return [];
    return Object.entries(RISKS).flatMap(([risk, pattern]) =>
      pattern.test(text) ? [`${risk}: ${text.slice(0, 80)}`] : [],
    );
  });
}

const migrations = readMigrations().filter(({ name }) => name >= FIRST);

test('every migration says whether the version before may run beside it, and is fit for it if so', () => {
  assert.ok(migrations.length > 0);
  for (const { name, text, beside } of migrations) {
    assert.match(text, /^-- beside: (yes|no)\n/, name);
    if (beside) assert.deepEqual(risksIn(text), [], name);
  }
});

test('each risk is found, and neither what is new nor what is excused is one', () => {
  const risky = [
    'drop table forms;',
    'alter table forms drop column title;',
    'alter table forms rename column title to name;',
    'alter table forms alter column title type int;',
    'alter table forms alter title set not null;',
    'alter table forms add column a int, add column b int not null;',
    'alter table forms add constraint c check (a > 0);',
    'alter table forms\n  add foreign key (a) references b (a);',
    'revoke select on forms from carepost_app;',
    'create trigger t before update on forms for each row execute function f();',
    'create index i on forms (a);',
    'update forms set a = 1;',
    'drop function f(int);',
  ];
  for (const statement of risky) {
    assert.equal(risksIn(`create table other (a int);\n${statement}\n`).length, 1, statement);
    assert.deepEqual(risksIn(`create table other (a int);\n-- safe beside: why\n${statement}\n`), []);
  }
  const harmless = [
    'create table forms (a int not null);\ncreate index i on forms (a);\nalter table forms add unique (a);',
    'alter table forms add column a int, add column b int not null default 1;',
    'alter table forms add constraint c check (a > 0) not valid;',
    'drop function f(int);\ncreate function f(a int) returns int language sql as $$ select 1; drop table x; $$;',
    'grant select on forms to carepost_app;',
  ];
  for (const text of harmless) assert.deepEqual(risksIn(text), [], text);
});
