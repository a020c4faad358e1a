import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { EmergencyBanner } from '../oversight/emergency-banner.tsx';
import { useIdleBlank } from '../session/idle.ts';
import { useSession, useUser } from '../session/session.ts';
import { StepUp } from '../session/step-up.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Toasts } from '../ui/toast.tsx';
import { words } from '../words/shared.ts';
import { AccountMenu } from './account-menu.tsx';
import { mayGo } from './navigation.ts';
import { NotForRole } from './not-for-role.tsx';
import { Navigation } from './sidebar.tsx';
import { useArrival } from './use-arrival.ts';

/** What stands around every page of the rooms. */
export function Layout() {
  const session = useSession();
  const [menuOpen, setMenuOpen] = useState(false);
  const content = useArrival();
  useIdleBlank(session?.idle_seconds ?? 900);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-brand px-3 py-2 text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {words.skip}
      </a>
      <aside
        aria-label={words.product}
        className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-r bg-surface lg:flex"
        data-print="no"
      >
        <Brand />
        <Navigation onGo={() => undefined} />
        <AccountMenu />
      </aside>
      <div className="flex min-w-0 grow flex-col">
        <header className="flex items-center justify-between border-b bg-surface px-3 py-2 lg:hidden" data-print="no">
          <button
            type="button"
            aria-label={words.menu}
            className="rounded-md p-2 hover:bg-sunken"
            onClick={() => setMenuOpen(true)}
          >
            <MenuIcon aria-hidden className="size-5" />
          </button>
          <span className="font-semibold">{session?.customer?.name ?? words.product}</span>
          <span className="size-9" />
        </header>
        <EmergencyBanner />
        <main ref={content} id="content" tabIndex={-1} className="grow outline-none">
          <Content />
        </main>
      </div>
      <Dialog open={menuOpen} onClose={() => setMenuOpen(false)} title={words.rooms} side>
        <Navigation onGo={() => setMenuOpen(false)} />
        <AccountMenu />
      </Dialog>
      <StepUp />
      <Toasts />
    </div>
  );
}

/** The page at this address, unless the role does not find it: what it asks for is not asked, and nothing offered in vain. */
function Content() {
  const { role } = useUser();
  const { pathname } = useLocation();
  const isActing = useSession()?.emergency?.acting === true;
  return role === 'operator' || isActing || mayGo(role, pathname) ? <Outlet /> : <NotForRole />;
}

function Brand() {
  const session = useSession();
  return (
    <header className="flex items-center gap-2 px-4 pt-4 pb-3">
      <img src="/app/-/icon.svg" alt="" className="size-8" />
      <div className="min-w-0">
        <p className="font-semibold">{words.product}</p>
        <p className="truncate text-xs text-soft">{session?.customer?.name}</p>
      </div>
    </header>
  );
}
