import { AsyncLocalStorage } from 'node:async_hooks';
import type { Origin } from '../../../shared/core/context/context.js';

/** Where the request in hand came from. The library calls its adapter without the request, and events name the address. */
export const requestOrigin = new AsyncLocalStorage<Origin>();
