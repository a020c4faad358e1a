import { dirname } from 'node:path';
import { requireBuildable } from '../../platform/http/pages/require-buildable.ts';
import { BUILT as CERTIFICATES, currentScript } from '../certificate/page/load-script.ts';
import { BUILT, currentManifest } from './assets.ts';

/** Refuses scripts that are out of date where this user cannot build them: every form would be shown without its own. */
export async function refuseUnbuiltScripts(): Promise<void> {
  if ((await currentManifest()) === null) await requireBuildable('the scripts of forms are', BUILT);
  if ((await currentScript()) === null) await requireBuildable('the script of certificates is', dirname(CERTIFICATES));
}
