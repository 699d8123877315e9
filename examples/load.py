import sys, time, torch
seconds, idle = float(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 0
a = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
torch.cuda.synchronize()
end = time.time() + seconds
while time.time() < end:
    b = time.time() + 0.1
    while time.time() < b:
        for _ in range(20): a @ a
        torch.cuda.synchronize()
    if idle: time.sleep(idle)
