/** A group of fields (RFC 3464 2.1.1): names in lower case, values unfolded, in order. */
export type Fields = readonly (readonly [name: string, value: string])[];

const BLANK_LINE = /(?:\r?\n|^)[ \t]*\r?\n/;
const FOLD = /\r?\n[ \t]+/g;
const FIELD = /^([!-9;-~]{1,100})[ \t]*:(.*)$/;
const LONGEST_VALUE = 2_000;
const UTF_8 = /^utf-8[ \t]*;/i;
const ESCAPED = /\\x\{([0-9A-F]{2,6})\}/gi;
const LAST_CODE_POINT = 0x10ffff;

/** The groups of fields in a text, which blank lines part. Lines that are no fields are left out. */
export function readGroups(text: string): Fields[] {
  return text
    .split(BLANK_LINE)
    .map(readFields)
    .filter((fields) => fields.length > 0);
}

function readFields(group: string): Fields {
  return group
    .replace(FOLD, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, name, value] = FIELD.exec(line) ?? [];
      if (name === undefined || value === undefined) return [];
      return [[name.toLowerCase(), value.trim().slice(0, LONGEST_VALUE)] as const];
    });
}

/** The first value of a name; null where there is none. */
export function fieldOf(fields: Fields, name: string): string | null {
  return fields.find(([key]) => key === name)?.[1] || null;
}

/** What stands behind the type of a value: `rfc822; a@b.c` is `a@b.c` (RFC 3464 2.1.2). */
export function behindType(value: string | null): string | null {
  if (value === null) return null;
  const [, text = value] = /^[\w-]+[ \t]*;(.*)$/.exec(value) ?? [];
  return text.trim() || null;
}

/** The address in a field such as `rfc822; a@b.c`; null where there is none. */
export function typedAddress(value: string | null): string | null {
  const text = behindType(value);
  return addressIn(text !== null && UTF_8.test(value ?? '') ? undoEscapes(text) : text);
}

/** RFC 6533 3: what is not ASCII in an address of the type utf-8 may come as `\x{E4}`. */
function undoEscapes(text: string): string {
  return text.replace(ESCAPED, (whole, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point <= LAST_CODE_POINT ? String.fromCodePoint(point) : whole;
  });
}

/** An address as a report writes it, without brackets; null where it is none. */
export function addressIn(value: string | null): string | null {
  const [, address] = /^<?([^\s<>@]{1,64}@[^\s<>@]{1,255})>?$/.exec(value ?? '') ?? [];
  return address ?? null;
}
