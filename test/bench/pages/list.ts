import type { Bench } from '../goal.js';
import { forecast } from './forecast.js';
import { ledger } from './ledger.js';
import { pageLoads } from './loads.js';
import { scroll } from './scroll.js';

/** What people look at, in the packaged Chromium on the same machine. */
export const pageBenches: Bench[] = [pageLoads, ledger, scroll, forecast];
