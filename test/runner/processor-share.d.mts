/** How much of a processor each process has that wants one: 1 while there are enough of them for all. */
export function processorShare(running?: number, processors?: number): number;
