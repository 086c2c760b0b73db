import test from 'ava';
import { testRoundTrips } from './tree-property.js';

// A long test: two hundred trees of groups and as many projects go out and come in again.
testRoundTrips(test, 200, 1_800_000);
