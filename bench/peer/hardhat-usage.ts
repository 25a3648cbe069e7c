/** Loaded into the hardhat process beside hardhat itself: tells the benchmark how much CPU time it has used. */
import { answerCalls } from '../child.ts';
import { cpuMs } from '../statistics.ts';

answerCalls({ usage: () => ({ cpuMs: cpuMs(), rssBytes: process.memoryUsage.rss() }) });
