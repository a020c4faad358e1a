/** For how long the file of an export is kept. */
export const EXPORT_DAYS = 7;
