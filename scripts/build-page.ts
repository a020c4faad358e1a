// Builds what browsers get where it is not there or out of date: the dashboard, and the scripts of the pages for patients.
import { loadWeb } from '../src/dashboard/web/built.ts';
import { loadVerifyScript } from '../src/forms/certificate/page/load-script.ts';
import { loadPageAssets } from '../src/forms/page/assets.ts';

await loadPageAssets();
await loadVerifyScript();
await loadWeb();
