/** The tables as Kysely knows them. Each part of the product adds its own by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Tables {}
