import type { Registry } from 'prom-client'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import gc from 'prom-client/lib/metrics/gc.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js'
import processHandles from 'prom-client/lib/metrics/processHandles.js'
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processRequests from 'prom-client/lib/metrics/processRequests.js'
import processResources from 'prom-client/lib/metrics/processResources.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import version from 'prom-client/lib/metrics/version.js'

/**
 * prom-client's default metrics but `nodejs_heap_space_*`: the runtime has none of these spaces, and to be asked for them
 * it walks the whole heap, some 50 ms in which nothing is answered.
 */
export function collectProcessMetrics(registry: Registry): void {
  for (const collect of [
    ...[processCpuTotal, processStartTime, osMemoryHeap, processOpenFileDescriptors],
    ...[processMaxFileDescriptors, eventLoopLag, processResources, processHandles, processRequests],
    ...[heapSizeAndUsed, version, gc],
  ])
    collect(registry, { eventLoopMonitoringPrecision: 20 })
}
