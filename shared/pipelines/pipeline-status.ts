/** Facts about the states of a pipeline (delivery-resources.md section 3), for those who show more than its name. */
const ACTIVE = ['waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running'];
const COMPLETE = ['success', 'failed', 'canceled', 'skipped'];
const CANCELABLE = [...ACTIVE, 'created', 'scheduled'];
const RETRYABLE = ['failed', 'canceled'];

/** Somebody works on it, or will soon. */
export const isActive = (status: string) => ACTIVE.includes(status);
/** Nothing more happens to it by itself. */
export const isComplete = (status: string) => COMPLETE.includes(status);
/** It can be stopped. */
export const isCancelable = (status: string) => CANCELABLE.includes(status);
/** Some of it can be tried again. */
export const isRetryable = (status: string) => RETRYABLE.includes(status);
