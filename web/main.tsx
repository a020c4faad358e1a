import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { router } from './routes.ts';
import { queries } from './session/session.ts';
import { startTheme } from './shell/theme.ts';

// The dialogs' library adds a style while a dialog is open, and looks here for what the policy asks of it.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content;
Object.assign(globalThis, { __webpack_nonce__: nonce });
startTheme();
createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
