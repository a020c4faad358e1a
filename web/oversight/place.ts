import { useLocation } from '@tanstack/react-router';

/** Whether a page is about the installation itself, as its address says, rather than about a customer. */
export function useIsInstallation(): boolean {
  return useLocation().pathname.startsWith('/operator/');
}
