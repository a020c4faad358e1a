/** Loaded with the first file that is opened: it takes 24 MB, and few forms are encrypted end to end. */
export const loadAge = () => import('../age.ts');
