import fc from 'fast-check';
import type { TestFn, ExecutionContext } from 'ava';
import { useApp } from '../../core/app.js';
import { generatedProject, generatedTree, treeSteps } from './generated-trees.js';

/** The same trees in each run: what one finds, the next one finds too. */
const SEED = 20_261_124;

/** Runs that are few enough for a case that fails to be made smaller. */
const SMALL = 20;

/** Declares the tests that generated trees and projects come back as they were. @param runs how many of each */
export function testRoundTrips(test: TestFn, runs: number, timeoutMs: number): void {
  const app = useApp(test);
  const limits = ['export_limit', 'download_export_limit', 'import_limit'].flatMap((name) => [
    `group_${name}`,
    `project_${name}`,
  ]);
  test.before('let tests ask as often as they like', () =>
    app.set(Object.fromEntries(limits.map((name) => [name, 0]))),
  );

  /** People of their own for each: who owns hundreds of groups makes each answer longer. */
  const steps = async () => {
    const admin = await app.build.admin();
    return treeSteps(app, admin, [await app.build.user(), await app.build.user()]);
  };
  const check = async <T>(
    t: ExecutionContext,
    arbitrary: fc.Arbitrary<T>,
    wrong: (tree: T) => Promise<object | null>,
  ) => {
    t.timeout(timeoutMs);
    const property = fc.asyncProperty(arbitrary, async (tree) => {
      const found = await wrong(tree);
      if (found) throw new Error(JSON.stringify(found));
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      numRuns: runs,
      seed: SEED,
      // To make a case smaller takes more runs than all of these: the few of `npm test` are small enough to do it.
      endOnFailure: runs > SMALL,
    });
    const reason = errorInstance instanceof Error ? errorInstance.message : '';
    t.false(failed, `${JSON.stringify(counterexample)}: ${reason}`);
  };

  // Contract: archives-round_trip, archives-diff
  test.serial('generated trees of groups come back the same but for ids and times', async (t) => {
    await check(t, generatedTree, async (tree) => (await steps()).treeRoundTrip(tree));
  });

  // Contract: archives-round_trip
  test.serial('generated projects come back the same but for ids and times', async (t) => {
    await check(t, generatedProject, async (project) => (await steps()).projectRoundTrip(project));
  });
}
