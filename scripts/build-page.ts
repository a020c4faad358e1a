// Builds the scripts of the forms' page and of the page for certificates where they are not there or out of date.
import { loadVerifyScript } from '../src/forms/certificate/page/load-script.ts';
import { loadPageAssets } from '../src/forms/page/assets.ts';

await loadPageAssets();
await loadVerifyScript();
