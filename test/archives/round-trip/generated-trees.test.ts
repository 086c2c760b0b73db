import test from 'ava';
import { testRoundTrips } from './tree-property.js';

testRoundTrips(test, 5, 120_000);
