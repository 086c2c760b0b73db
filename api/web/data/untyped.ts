import { api } from './api.js';

interface Answered {
  data?: unknown;
  error?: unknown;
  response: Response;
}

type Call = (path: string, init?: object) => Promise<Answered>;

/** The client without the types of paths. */
export const untyped = api as unknown as Record<'GET' | 'POST' | 'PUT' | 'DELETE', Call>;
