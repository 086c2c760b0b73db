import type { Context as KoaContext } from 'koa';

/** The header prefix of the service, and the one that unmodified clients expect (contract decision 15). */
const PREFIXES = ['X-Service-', 'X-Gitlab-'] as const;

/** A header of the service's own that came with a request, under either prefix: `Captcha-Response`. */
export function readServiceHeader(koa: KoaContext, name: string): string {
  for (const prefix of PREFIXES) {
    const value = koa.get(prefix + name);
    if (value !== '') return value;
  }
  return '';
}

/** `file_path` to `File-Path`. */
const headerName = (field: string): string =>
  field.replace(/(?:^|_)(\w)/g, (_, letter: string) => `-${letter.toUpperCase()}`).slice(1);

/** Reads a service header of a request under either prefix: `Captcha-Response`. */
export function serviceHeaders(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => {
      const encoded = value.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
      return PREFIXES.map((prefix) => [prefix + headerName(field), encoded]);
    }),
  );
}
