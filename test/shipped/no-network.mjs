// Preloaded into a process (node --import): whatever reaches for the network throws.
import dns from "node:dns";
import net from "node:net";

const closed = () => {
  throw new Error("the network is closed");
};
net.Socket.prototype.connect = closed;
dns.lookup = closed;
globalThis.fetch = closed;
