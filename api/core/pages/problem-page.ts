import type { Context as KoaContext } from 'koa';
import { webFiles } from './files.js';

/** The information displayed for a failed request. */
export interface ProblemDetails {
  status: number;
  text: string;
  /** Names the request in the service's log. */
  requestId: string;
  /** Overrides the status's title if that is too general. */
  title?: string;
}

/** Titles by status; statuses without an entry use the title of their hundred. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Not accepted',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Page not found',
  429: 'Too many tries',
  500: 'The service failed',
  503: 'The service is busy',
};

const ADVICE: Readonly<Record<number, string>> = {
  400: 'Go back and start again from where you came from.',
  401: 'Sign in, then try again.',
  403: 'Somebody with more rights may do it, or give them to you.',
  404: 'It may have moved, or the address may have been cut.',
  429: 'Wait a minute, then try again.',
  500: 'Try again. If it fails again, tell an administrator, with the request id.',
  503: 'Wait a moment, then load the page again.',
};

const ofStatus = (texts: Readonly<Record<number, string>>, status: number): string =>
  texts[status] ?? texts[status < 500 ? 400 : 500] ?? '';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/**
 * The page sends no requests, and its address, which may contain an application's authorization request, is not passed
 * to other sites.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

/** Sends an error page, which needs neither scripts nor a session. */
export function sendProblemPage(koa: KoaContext, { status, text, requestId, title }: ProblemDetails): void {
  const signIn = status === 401;
  const values: Record<string, string> = {
    title: title ?? ofStatus(TITLES, status),
    text,
    advice: ofStatus(ADVICE, status),
    request: requestId,
    href: signIn ? '/users/sign_in' : '/',
    next: signIn ? 'Sign in' : 'Go to the home page',
  };
  koa.status = status;
  koa.body = webFiles().problem.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => escape(values[name] ?? ''));
  koa.set(HEADERS);
}
