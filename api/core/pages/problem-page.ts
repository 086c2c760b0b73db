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
  400: 'Request rejected',
  401: 'Not signed in',
  403: 'Access denied',
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Server error',
  503: 'Service unavailable',
};

const ADVICE: Readonly<Record<number, string>> = {
  400: 'Go back and try again.',
  401: 'Sign in and try again.',
  403: 'Ask someone with more permissions to do it, or to give you access.',
  404: 'It may have been moved, or the link may be incomplete.',
  429: 'Wait a minute, then try again.',
  500: 'Try again. If it happens again, contact an administrator with the request ID.',
  503: 'Try again in a moment.',
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
