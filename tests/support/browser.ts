import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findDebianPackage } from './debian-package.ts';

const FOLDER = 'usr/lib/chromium';
const LIBRARIES = ['usr/lib/*-linux-gnu*/pulseaudio'];
/** What a page does not show within this it will not show; a busy machine comes near to the 30 s that are usual. */
const PATIENCE_MS = 90_000;

/** A request that a page made or tried to make. */
export interface SeenRequest {
  method: string;
  url: string;
  origin: string;
  body: string;
}

/** A page and everything that it did since it was opened, in other windows too. */
export interface Visit {
  page: Page;
  requests: SeenRequest[];
  /** What the console called an error, and what no script caught. */
  errors: string[];
  dialogs: string[];
}

/** Debian's Chromium, closed when the test ends. Where there is none and none can be had, this throws. */
export async function openBrowser(t: TestContext): Promise<Browser> {
  const { program, libraries } = findBrowser();
  const browser = await chromium.launch({
    executablePath: program,
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }) },
  });
  t.after(() => browser.close());
  return browser;
}

/** The one that has no windows, since those that nobody sees take a quarter of the time; else the one that is there. */
function findBrowser(): { program: string; libraries: string } {
  try {
    return findProgram('chromium-headless-shell');
  } catch {
    return findProgram('chromium');
  }
}

function findProgram(name: string): { program: string; libraries: string } {
  const path = `${FOLDER}/${name}`;
  const { root, libraries } = findDebianPackage(name, path, LIBRARIES);
  return { program: `${root}/${path}`, libraries };
}

/** Opens an address in a window of its own, with nothing kept from earlier visits. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const seen: Omit<Visit, 'page'> = { requests: [], errors: [], dialogs: [] };
  context.on('request', (request) => {
    const { origin } = new URL(request.url());
    seen.requests.push({ method: request.method(), url: request.url(), origin, body: request.postData() ?? '' });
  });
  context.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  context.on('weberror', (error) => seen.errors.push(String(error.error())));
  context.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    // The page may be gone before it is answered.
    dialog.dismiss().catch(() => undefined);
  });
  const page = await context.newPage();
  await page.goto(url);
  return { page, ...seen };
}

/** The origins other than its own that a page asked for anything. */
export function foreignOrigins({ requests }: Visit, own: string): string[] {
  const origins = requests.filter(({ url }) => /^(https?|wss?|ftp):/.test(url)).map(({ origin }) => origin);
  return [...new Set(origins)].filter((origin) => origin !== new URL(own).origin);
}
