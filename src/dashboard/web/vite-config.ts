import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

/** How the dashboard is built: modules for browsers of the last years, everything from this server. */
export function viteConfig(root: string, outDir: string): InlineConfig {
  return {
    root,
    base: '/app/-/',
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: '',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      chunkSizeWarningLimit: 2_000,
    },
  };
}
