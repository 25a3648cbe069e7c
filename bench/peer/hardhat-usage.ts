/** Loaded into the hardhat process beside hardhat itself: tells the benchmark how much CPU time it has used. */
import { answerCalls } from '../child.ts';

answerCalls({
  usage: () => {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() };
  },
});
