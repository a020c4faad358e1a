import type { PreviousUpload, UrlStorage } from 'tus-js-client';

const MARK = 'carepost-upload:';

/**
 * Remembers where unfinished uploads go on, for as long as the window is open: the address of each and nothing of the
 * file, whose name may say something of the patient.
 */
export const sessionUploads: UrlStorage = {
  findAllUploads: () => Promise.resolve([]),
  findUploadsByFingerprint: (fingerprint) => Promise.resolve(findUpload(MARK + fingerprint)),
  removeUpload: (key) => {
    attempt(() => sessionStorage.removeItem(key));
    return Promise.resolve();
  },
  addUpload: (fingerprint, { uploadUrl }) => {
    const key = MARK + fingerprint;
    attempt(() => sessionStorage.setItem(key, uploadUrl ?? ''));
    return Promise.resolve(key);
  },
};

/** What tells a file for a question of a form from others without saying its name. */
export function fingerprintOf({ name, size, lastModified }: File, to: { url: string; path: string }): string {
  let hash = 0;
  for (const character of `${to.url}\n${to.path}\n${name}`)
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return `${size}-${lastModified}-${hash}`;
}

function findUpload(urlStorageKey: string): PreviousUpload[] {
  const uploadUrl = attempt(() => sessionStorage.getItem(urlStorageKey));
  if (!uploadUrl) return [];
  return [{ size: null, metadata: {}, creationTime: '', urlStorageKey, uploadUrl, parallelUploadUrls: null }];
}

/** Browsers may forbid storage altogether. */
function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
