import type { Context as KoaContext } from 'koa';
import { chooseForm } from '../server/static-answer.js';
import { sendWebFile, webFiles, WEB_BASE } from './files.js';

/** Addresses that show a page: `api/web/routes.ts`. */
export interface PageAddress {
  /** A parameter as `:name`, or `:name+` for several segments. */
  path: string;
  pattern: RegExp;
}

/** How pages reach browsers: as they were built, or in development from their sources. */
export interface PageDelivery {
  /** The most specific first. */
  addresses: () => readonly PageAddress[] | Promise<readonly PageAddress[]>;
  /** Answers with a file below `/-/web/`; false where there is none. */
  sendFile: (koa: KoaContext) => boolean | Promise<boolean>;
  /**
   * The document that every page begins with.
   * @param policy its Content-Security-Policy, which development extends
   */
  document: (koa: KoaContext, name: 'index' | 'explorer', policy: string) => PageDocument | Promise<PageDocument>;
}

interface PageDocument {
  bytes: Buffer;
  type: string;
  policy: string;
}

/** The pages as they were built, with the policy unchanged. */
export function builtPages(): PageDelivery {
  const { files, pages, ...documents } = webFiles();
  // Own pattern: addresses of pages.
  const addresses = pages.map(({ path, pattern }) => ({ path, pattern: new RegExp(pattern) }));
  return {
    addresses: () => addresses,
    sendFile(koa) {
      const file = files.get(koa.path.slice(WEB_BASE.length));
      if (file) sendWebFile(koa, file);
      return file !== undefined;
    },
    document(koa, name, policy) {
      const { bytes, type } = chooseForm(koa, documents[name]);
      return { bytes, type, policy };
    },
  };
}
