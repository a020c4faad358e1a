import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Entrance } from '../session/entrance.tsx';
import { loadSession, useSession } from '../session/session.ts';
import { Loading, Problem } from '../ui/problem.tsx';

/** Addresses that are for people without a session. */
const OPEN = ['/setup', '/reset', '/forgot'];

/**
 * Shows the rooms to those who are signed in, and the way in to everybody else. The address stays as it is, so that
 * whoever was signed out comes back to where they were.
 */
export function RootGate() {
  const session = useSession();
  const { pathname } = useLocation();
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    loadSession().catch(setProblem);
  }, []);
  if (problem !== null) return <Problem error={problem} onRetry={() => location.reload()} />;
  if (session === null) return <Loading />;
  if (OPEN.includes(pathname) || session.state === 'open') return <Outlet />;
  return <Entrance session={session} />;
}
