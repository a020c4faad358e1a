export const CODE_DIGITS = 8;
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
export const CODES_AN_HOUR = 3;
export const CODES_A_DAY = 10;
